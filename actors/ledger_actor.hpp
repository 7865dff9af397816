#pragma once
/// The actor around job_memo: see actors/interfaces.hpp for its place. It
/// watches the journal and the pool: if one dies, the jobs that wait fail with
/// the reason, which ends the run.

#include "actors/interfaces.hpp"
#include "actors/job_memo.hpp"
#include "actors/progress.hpp"

#include <functional>
#include <memory>
#include <set>

namespace brewery {

struct ledger_state {
  static inline const char* name = "ledger";
  using promise = caf::typed_response_promise<job_result>;
  search_id search;
  job_memo<promise> memo;
  pool_actor pool;
  journal_actor journal;
  std::shared_ptr<progress_board> board;
  std::function<void(const job_result&)> on_result;   ///< metrics; may be empty
  std::function<void(const job_result&)> on_recalled; ///< may be empty
  std::set<job_id> journalling; ///< appended, not yet answered
  bool stopped = false;
  watch_list watched;
  std::vector<caf::typed_response_promise<bool>> drains;
};

struct ledger_inputs {
  search_id search; ///< under which its jobs go to the pool
  memo_content known;
  pool_actor pool;
  journal_actor journal;
  std::shared_ptr<progress_board> board;
  std::function<void(const job_result&)> on_result;
  std::function<void(const job_result&)> on_recalled; ///< from the log
};

ledger_actor::behavior_type
ledger(ledger_actor::stateful_pointer<ledger_state> self,
       std::shared_ptr<ledger_inputs> inputs);

} // namespace brewery
