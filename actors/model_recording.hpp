#pragma once
/// The recording of a run's model calls: an event log of its own, in `models/`
/// of the run directory, since replies are many, large and asked for by their
/// key. Records of kind `model_record`, written as they come, several to a
/// transaction; a reply counts when it is on disk.
///
/// It has a thread that owns the log; everything else may be called from any
/// thread. Callbacks run on that thread and must not block. Destruction writes
/// what was handed in.

#include "messages/model_msgs.hpp"
#include "store/event_log.hpp"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>

namespace brewery {

/// What a recording holds, without the replies.
struct recording_index {
  struct place {
    job_id job;
    std::uint32_t number = 0;
    auto operator<=>(const place&) const = default;
  };
  std::map<std::string, std::uint64_t> by_key; ///< call key -> event
  std::map<place, std::uint64_t> by_place;
  struct total {
    std::uint64_t calls = 0;
    token_usage usage;
    std::int64_t cost = 0;
    std::uint64_t duration_ms = 0;
  };
  std::map<std::string, total> by_role; ///< of all calls, paid failures too
};

class model_recording {
public:
  /// The recording of a run directory for appending; made if there is none.
  static result<std::shared_ptr<model_recording>>
  open(const std::filesystem::path& run_directory);

  /// That of another run, which is only read; ec::not_found when it has none.
  static result<std::shared_ptr<model_recording>>
  open_for_replay(const std::filesystem::path& run_directory);

  ~model_recording();
  model_recording(const model_recording&) = delete;
  model_recording& operator=(const model_recording&) = delete;

  /// As it was when it was opened.
  [[nodiscard]] const recording_index& index() const;

  /// `done` gets the number of the event once it is on disk.
  void append(model_record record,
              std::function<void(result<std::uint64_t>)> done);
  /// Waits until everything handed in is done and its callbacks have ended; not
  /// on its own thread.
  void settle();
  /// Reads an event back.
  void read(std::uint64_t event,
            std::function<void(result<model_record>)> done);

private:
  struct state;
  explicit model_recording(std::shared_ptr<state> opened);
  static result<std::shared_ptr<model_recording>>
  make(std::unique_ptr<event_log> log);
  /// Shared with the thread, on which the last reference to this may end.
  std::shared_ptr<state> state_;
};

} // namespace brewery
