#pragma once
/// The actor around the event log. Appends that arrive while a transaction is
/// being written go into the next one together (group commit), so durability
/// costs one sync per batch, not per event. If the log cannot be written, every
/// append of the batch is answered with the reason and nothing of it is stored.

#include "actors/interfaces.hpp"
#include "store/event_log.hpp"

#include <functional>

namespace brewery {

struct journal_state {
  static inline const char* name = "journal";
  std::shared_ptr<event_log> log;
  std::function<void(double)> on_commit; ///< seconds; may be empty
  std::vector<event_row> rows;
  std::vector<caf::typed_response_promise<bool>> promises;
};

journal_actor::behavior_type
journal(journal_actor::stateful_pointer<journal_state> self,
        std::shared_ptr<event_log> log, std::function<void(double)> on_commit);

} // namespace brewery
