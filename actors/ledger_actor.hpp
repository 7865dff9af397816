#pragma once
/// The actor around job_memo: see actors/interfaces.hpp for its place. Its
/// monitors: if the journal or the pool dies, requests to it fail and so do the
/// jobs that wait, which ends the run with the reason.

#include "actors/interfaces.hpp"
#include "actors/job_memo.hpp"
#include "actors/progress.hpp"

#include <functional>
#include <memory>

namespace brewery {

struct ledger_state {
  static inline const char* name = "ledger";
  using promise = caf::typed_response_promise<job_result>;
  job_memo<promise> memo;
  pool_actor pool;
  journal_actor journal;
  std::shared_ptr<progress_board> board;
  std::function<void(const job_result&)> on_result; ///< metrics; may be empty
  bool stopped = false;
  std::vector<caf::typed_response_promise<bool>> drains;
};

struct ledger_inputs {
  memo_content known;
  pool_actor pool;
  journal_actor journal;
  std::shared_ptr<progress_board> board;
  std::function<void(const job_result&)> on_result;
};

ledger_actor::behavior_type
ledger(ledger_actor::stateful_pointer<ledger_state> self,
       std::shared_ptr<ledger_inputs> inputs);

} // namespace brewery
