#include "report/model_calls.hpp"

#include "llm/accounts/price.hpp"
#include "llm/accounts/saturating.hpp"
#include "messages/wire/codec.hpp"
#include "store/event_log.hpp"

#include <fmt/format.h>

namespace brewery {

void model_use::add(const model_use& other) {
  calls += other.calls;
  prompt += other.prompt;
  completion += other.completion;
  cost = saturating_sum(cost, other.cost);
}

json model_use::as_json() const {
  return {{"calls", calls},
          {"prompt_tokens", prompt},
          {"completion_tokens", completion},
          {"cost_usd", dollars_of(cost)}};
}

result<void> model_calls::extend(const std::filesystem::path& run_directory) {
  const auto log = event_log::open_for_reading(run_directory / "models");
  if (!log && log.error().code == ec::not_found) return {};
  if (!log) return log.error();
  for (const auto last = (*log)->last_seq(); seen_ < last; ++seen_) {
    const auto row = (*log)->read(seen_ + 1);
    if (!row) return row.error();
    if (row->kind != model_record::type_name) continue;
    const auto call = wire::decode_brief<model_record>(row->payload);
    if (!call)
      return error{ec::corrupt, fmt::format("event {} of the recording: {}",
                                            row->seq, call.error().message)};
    if (call->is_lost()) continue;
    const auto used = call->is_uncounted() ? token_usage{} : call->usage;
    by_job_[call->job].add({1, used.prompt, used.completion, call->cost});
  }
  return {};
}

model_use model_calls::of(const job_id& job) const {
  const auto found = by_job_.find(job);
  return found == by_job_.end() ? model_use{} : found->second;
}

} // namespace brewery
