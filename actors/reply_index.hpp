#pragma once
/// Finds the recorded reply that answers a call. One per recording. PURE.
///
/// A reply that was cut at its limit answers a call with a larger limit only at
/// the place where it was recorded: a job that is done again gets the replies
/// it had, and a role that asks for a longer one gets a new one.
///
/// A reply that a role could not use is marked as rejected. It still answers,
/// so that an attempt that was lost is repeated for nothing, until the job's
/// rejected replies are to be asked anew: when the attempt failed, or somebody
/// orders another. Replies that were not rejected answer for ever.

#include "messages/model_msgs.hpp"

#include <map>
#include <string>
#include <vector>

namespace brewery {

/// The place of a call in its run.
struct call_place {
  job_id job;
  std::uint32_t number = 0;
  auto operator<=>(const call_place&) const = default;
};

class reply_index {
public:
  /// Ignores a record without an answer. `event` is above 0.
  void add(const model_record& record, std::uint64_t event);

  /// The event of the latest reply that answers the call; 0 if none does.
  /// `max_tokens` 0: no limit.
  [[nodiscard]] std::uint64_t find(const std::string& key,
                                   const call_place& from,
                                   std::uint32_t max_tokens) const;

  /// The job's role could not use the latest reply to the call with this key.
  /// Returns that reply's event; 0 without one.
  std::uint64_t reject(const job_id& job, const std::string& key);
  /// The same for a reply that was the latest then.
  void reject_until(const job_id& job, const std::string& key,
                    std::uint64_t event);
  /// From now on, the job's rejected replies answer no call. False: it has
  /// none.
  bool ask_anew(const job_id& job);
  /// How often replies to this call were dropped by `ask_anew`.
  [[nodiscard]] std::uint32_t dropped(const std::string& key) const;

  /// The run stopped at this call.
  void stop(const std::string& key) { ++stops_[key]; }
  [[nodiscard]] std::uint32_t stops(const std::string& key) const;

private:
  struct kept_reply {
    std::uint64_t event = 0;
    call_place place;
    std::uint64_t cut_at = 0; ///< tokens; 0: it is whole
  };
  std::map<std::string, std::vector<kept_reply>> replies_; ///< by key
  /// The latest rejected event, by key.
  std::map<job_id, std::map<std::string, std::uint64_t>> rejected_;
  std::map<std::string, std::uint32_t> dropped_;
  std::map<std::string, std::uint32_t> stops_;
};

/// The limit of a call's reply in tokens; 0: none.
std::uint32_t reply_limit(const model_call& call);

} // namespace brewery
