#include "report/sweep/job_spend.hpp"

namespace brewery {

result<job_spend> job_spend_of(const std::filesystem::path& run,
                               const memo_content& known) {
  job_spend out;
  if (auto ok = out.asked.extend(run); !ok) return ok.error();
  for (const auto& [job, event] : known.logged)
    if (out.asked.of(job).calls == 0) out.unasked.push_back(job);
  return out;
}

std::vector<model_use>
spent_by_others(const std::vector<std::shared_ptr<const job_spend>>& runs) {
  std::map<job_id, model_use> asked;
  for (const auto& run : runs)
    if (run)
      asked.insert(run->asked.by_job().begin(), run->asked.by_job().end());
  std::vector<model_use> out(runs.size());
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (!runs[i]) continue;
    for (const auto& job : runs[i]->unasked)
      if (const auto found = asked.find(job); found != asked.end())
        out[i].add(found->second);
  }
  return out;
}

} // namespace brewery
