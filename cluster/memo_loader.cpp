#include "cluster/memo_loader.hpp"

#include "messages/wire/codec.hpp"

#include <fmt/format.h>

namespace brewery {

void memo_loader::retry(const job_id& job) {
  const auto given_up = given_up_at_.find(job);
  if (given_up == given_up_at_.end()) return; // the job is done
  const auto since = given_up->second;
  given_up_at_.erase(given_up);
  known_.results.erase(job);
  std::erase_if(known_.decisions, [&](const auto& decision) {
    return decided_at_[decision.first] > since;
  });
}

result<void> memo_loader::take(std::uint64_t event, std::string_view kind,
                               const std::string& key,
                               const std::string& payload) {
  if (kind == retry_event) {
    retry({key});
    return {};
  }
  if (kind == job_result::type_name) {
    known_.logged.emplace(job_id{key}, event);
    return {};
  }
  if (kind != verdict_event) {
    const auto decision = std::string{kind} + "/" + key;
    known_.decisions.insert_or_assign(decision, payload);
    decided_at_[decision] = event;
    return {};
  }
  auto verdict = wire::decode<job_result>(payload);
  if (!verdict)
    return error{
        verdict.error().code,
        fmt::format("event {} of the log: {}", event, verdict.error().message)};
  const auto id = verdict->id;
  given_up_at_[id] = event;
  known_.results.emplace(id, std::move(*verdict));
  return {};
}

} // namespace brewery
