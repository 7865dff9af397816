#include "sweep/rung_reward.hpp"

#include "actors/job_log.hpp"
#include "coordinator/recorded.hpp"
#include "search/barrier.hpp"
#include "store/event_log.hpp"

#include <fmt/format.h>

namespace brewery {

std::string no_score_at(std::uint32_t iteration) {
  return fmt::format("none of the documents gathered in iteration {} has a "
                     "score, because no attempt at the eval tasks was graded; "
                     "mend the environment, then try its failed jobs again "
                     "with `brewery quarantine retry`",
                     iteration);
}

result<rung_figures> reward_at(const std::filesystem::path& run,
                               const std::string& strategy,
                               std::uint32_t iteration) {
  const auto log = event_log::open_for_reading(run);
  if (!log) return log.error();
  const auto memo = load_memo(**log);
  if (!memo) return memo.error();
  const auto gathers = gathers_on_record(memo->decisions, strategy);
  if (!gathers) return gathers.error();
  if (gathers->size() <= iteration)
    return error{ec::not_found,
                 fmt::format("{}: no barrier of iteration {} is on record",
                             run.string(), iteration)};
  gathered_versions best;
  for (std::uint32_t i = 0; i <= iteration; ++i)
    best.fold((*gathers)[i]);
  return rung_figures{best.mean_reward()};
}

} // namespace brewery
