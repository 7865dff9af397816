#pragma once
/// The recording of a run's model calls. It is an event log of its own, in
/// `models/` of the run directory, because replies are many, large and looked
/// up by key. Records are of kind `model_record`. They are written as they
/// arrive, several per transaction. A reply counts once it is on disk. The
/// parts of its request stand before it (`prompt_part`), unless they are in the
/// log already.
///
/// A thread of the recording owns the log. All methods may be called from any
/// thread. Callbacks run on the recording's thread and must not block. The
/// destructor writes everything that was appended.

#include "actors/reply_index.hpp"
#include "llm/accounts/request_text.hpp"
#include "llm/accounts/spend.hpp"
#include "messages/model_msgs.hpp"
#include "store/event_log.hpp"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace brewery {

/// Kinds of events beside the records. The key is a job; the payload, if there
/// is one, the key of a call.
inline constexpr std::string_view rejected_event = "reply_rejected";
inline constexpr std::string_view ask_anew_event = "ask_anew";
inline constexpr std::string_view stopped_event = "run_stopped";

/// The contents of a recording, without the replies.
struct recording_index {
  reply_index replies;
  std::map<call_place, std::uint64_t> by_place; ///< the latest
  model_spend spend;
};

/// What a recording is opened for. In a replay every reply counts, also those
/// that were asked anew since: roles ask there what they asked then.
enum class recording_use : std::uint8_t { continued, replayed };

/// The sums of a run's recording, also while a process writes it. Empty if the
/// run has none.
result<model_spend> recorded_spend(const std::filesystem::path& run_directory);

/// A disk that is full or does not answer, which may pass.
inline bool is_disk_trouble(const error& why) {
  return why.code == ec::disk_full || why.code == ec::io;
}

class model_recording {
public:
  /// Opens the recording of a run directory for appending. Creates it if there
  /// is none.
  static result<std::shared_ptr<model_recording>>
  open(const std::filesystem::path& run_directory);

  /// Opens the recording of another run for reading only. Error ec::not_found
  /// if there is none.
  static result<std::shared_ptr<model_recording>>
  open_for_replay(const std::filesystem::path& run_directory);

  /// Orders that the rejected replies of these jobs are asked anew. For a run
  /// that nobody executes; without a recording there is nothing to do.
  static result<void> ask_anew(const std::filesystem::path& run_directory,
                               const std::vector<job_id>& jobs);

  ~model_recording();
  model_recording(const model_recording&) = delete;
  model_recording& operator=(const model_recording&) = delete;

  /// The index at the time of opening.
  [[nodiscard]] const recording_index& index() const;
  /// Of all that is on disk now.
  [[nodiscard]] model_spend spend() const;

  /// `parts` are those of the request. `done` gets the event's number once the
  /// record is on disk.
  void append(model_record record, std::vector<request_part> parts,
              std::function<void(result<std::uint64_t>)> done);
  /// Writes an event of the kinds above.
  void mark(std::string_view kind, const job_id& job, std::string call,
            std::function<void(result<std::uint64_t>)> done);
  /// A full disk is told and waited out from now on. With null, as at first,
  /// what is to be written fails. `on_full` must not call the recording.
  void wait_for_space(std::function<void(const error&)> on_full);
  /// Waits until all orders are carried out and their callbacks have returned.
  /// Must not be called on the recording's own thread.
  void settle();
  /// Reads an event from the log.
  void read(std::uint64_t event,
            std::function<void(result<model_record>)> done);
  /// Calls on the recording's thread.
  void with_log(std::function<void(const event_log&)> look);

private:
  struct state;
  explicit model_recording(std::shared_ptr<state> opened);
  static result<std::shared_ptr<model_recording>>
  make(std::unique_ptr<event_log> log, recording_use what);
  /// Shared with the thread. The last reference to this recording may end
  /// there.
  std::shared_ptr<state> state_;
};

} // namespace brewery
