#include "cluster/ledger/memo_loader.hpp"

#include "messages/search_msgs.hpp"
#include "messages/side_records.hpp"
#include "messages/wire/codec.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace brewery {

namespace {

/// The key of a decision is kind/key.
bool is_of(std::string_view decision, std::string_view kind) {
  return decision.starts_with(kind)
         && decision.substr(kind.size()).starts_with('/');
}

bool is_of_arm(std::string_view one) {
  constexpr std::string_view asked = purpose_record::type_name;
  return is_of(one, asked)
         && one.substr(asked.size() + 1).starts_with(arm_key_begin);
}

/// How a run began, and its final evaluation.
bool is_of_run(std::string_view one) {
  return is_of(one, run_record::type_name)
         || is_of(one, evaluation_record::type_name) || is_of_arm(one);
}

} // namespace

void forget_shorter_run(memo_content& known) {
  std::erase_if(known.decisions,
                [](const auto& decision) { return is_of_run(decision.first); });
}

bool still_holds(const memo_content& known, const std::string& arm) {
  return known.decisions.contains(
      fmt::format("{}/{}", evaluation_record::type_name, arm));
}

std::uint64_t memo_loader::last_search_decision() const {
  std::uint64_t last = 0;
  for (const auto& [one, payload] : known_.decisions)
    if (!is_of_run(one) && !is_of(one, reuse_check_event)
        && !is_side_record(std::string_view{one}.substr(0, one.find('/'))))
      last = std::max(last, decided_at_.at(one));
  return last;
}

std::uint64_t memo_loader::decided_at(const std::string& decision) const {
  return known_.decisions.contains(decision) ? decided_at_.at(decision) : 0;
}

std::uint64_t memo_loader::given_up_at(const job_id& job) const {
  const auto found = given_up_at_.find(job);
  return found == given_up_at_.end() ? 0 : found->second;
}

void memo_loader::retry(const job_id& job) {
  const auto given_up = given_up_at_.extract(job);
  if (given_up.empty()) return; // the job is done
  known_.results.erase(job);
  revoke_since(given_up.mapped());
}

void memo_loader::retry_result(const job_id& job) {
  const auto done = known_.logged.extract(job);
  if (done.empty()) return;
  revoke_since(done.mapped());
}

void memo_loader::revoke_since(std::uint64_t event) {
  std::erase_if(known_.decisions, [&](const auto& one) {
    return decided_at_[one.first] > event
           && !is_of(one.first, reuse_check_event);
  });
}

result<void> memo_loader::take(std::uint64_t event, std::string_view kind,
                               const std::string& key,
                               const std::string& payload) {
  if (kind == retry_event) {
    retry({key});
    return {};
  }
  if (kind == retry_result_event) {
    retry_result({key});
    return {};
  }
  if (kind == job_result::type_name) {
    known_.logged.emplace(job_id{key}, event);
    return {};
  }
  if (kind != verdict_event) {
    const auto decision = std::string{kind} + "/" + key;
    if (kind == run_record::type_name && known_.decisions.contains(decision))
      forget_shorter_run(known_);
    known_.decisions.insert_or_assign(
        decision, is_side_record(kind) ? std::string{} : payload);
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
