#pragma once
/// The actor around the event log. Batches that arrive while a transaction is
/// being written go into the next one together (group commit). So durability
/// costs one sync per batch, not per event. If the log cannot be written, every
/// batch of the transaction is answered with the reason, and none of it is
/// stored.

#include "actors/interfaces.hpp"
#include "store/event_log.hpp"

#include <functional>
#include <optional>

namespace brewery {

struct journal_inputs {
  std::shared_ptr<event_log> log;
  std::function<void(std::size_t events, double seconds)>
      on_commit; ///< may be empty
  /// If set, a commit that fails because the disk is full or faulty is retried
  /// every second; its appends do not fail. Called with the reason, also when
  /// that changes, and with null when the disk can be written again.
  std::function<void(const error*)> on_stuck;
};

struct journal_state {
  static inline const char* name = "journal";
  journal_inputs in;
  bool waits_for_disk = false; ///< retries when its disk fails
  std::optional<ec> stuck;     ///< why its last commit failed
  std::vector<event_row> rows; ///< of all batches that wait
  struct waiting_batch {
    caf::typed_response_promise<std::uint64_t> answer;
    std::size_t events = 0;
  };
  std::vector<waiting_batch> waiting;
};

journal_actor::behavior_type
journal(journal_actor::stateful_pointer<journal_state> self,
        journal_inputs inputs);

/// A journal for processes without a log: acknowledges everything and stores
/// nothing.
journal_actor::behavior_type forgetful_journal(journal_actor::pointer self);

} // namespace brewery

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(brewery::journal_inputs)
