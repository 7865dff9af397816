#pragma once
/// What the job table needs to know, taken from messages. PURE.

#include "cluster/job_table.hpp"

#include <algorithm>

namespace brewery {

/// `benchmark` is the fingerprint that the search's rollouts need.
inline job_facts facts_of(const job& work, const std::string& benchmark) {
  if (!work.rollout.empty())
    return {work.id, {"rollout", benchmark}, work.rollout.front().task.value};
  if (!work.integrate.empty())
    return {work.id,
            {"integrate", {}},
            std::to_string(work.integrate.front().concept_ref.value)};
  if (!work.grade.empty())
    return {work.id,
            {"grade", work.grade.front().goldens},
            work.grade.front().task.value,
            true};
  return {work.id, {"embed", {}}, {}};
}

inline worker_facts facts_of(const worker_hello& hello) {
  worker_facts out{hello.worker,
                   hello.incarnation,
                   hello.host,
                   hello.slots,
                   {hello.roles.begin(), hello.roles.end()},
                   {}};
  for (const auto& offer : hello.benchmarks)
    out.benchmarks.insert(offer.fingerprint);
  return out;
}

/// Text from outside for a log or a person: one line, nothing that a terminal
/// obeys, not without end.
inline std::string shown(std::string_view text) {
  constexpr std::size_t longest = 500;
  std::string out{text.substr(0, longest)};
  for (auto& byte : out)
    if (static_cast<unsigned char>(byte) < ' ' || byte == '\x7f') byte = '?';
  return out;
}

/// Why this worker cannot be taken; empty when it can.
inline std::string refusal_of(const worker_hello& hello) {
  constexpr std::uint32_t max_slots = 4096;
  if (hello.protocol_min > hello.protocol_max
      || hello.protocol_max < protocol_oldest
      || hello.protocol_min > protocol_newest)
    return "it speaks protocol " + std::to_string(hello.protocol_min) + " to "
           + std::to_string(hello.protocol_max) + ", this coordinator "
           + std::to_string(protocol_oldest) + " to "
           + std::to_string(protocol_newest)
           + "; bring both to the same release";
  if (hello.slots == 0 || hello.slots > max_slots)
    return "it offers " + std::to_string(hello.slots)
           + " slots; 1 to 4096 are possible";
  if (hello.incarnation.empty() || hello.roles.empty())
    return "it names no incarnation or no role";
  return {};
}

/// The newest that both speak.
inline std::uint32_t common_protocol(const worker_hello& hello) {
  return std::min(hello.protocol_max, protocol_newest);
}

/// The job did not fail, it was let go: its run asks no models any more. It
/// counts against nobody.
inline bool is_let_go(std::string_view error) {
  return error.starts_with(to_string(ec::cancelled));
}

inline constexpr std::string_view quarantine_mark = "quarantined: ";

/// The answer to whoever asked for a job that was given up.
inline job_result quarantine_verdict(const job& work,
                                     const std::string& reason) {
  job_result out;
  out.id = work.id;
  out.error = std::string{quarantine_mark} + reason;
  for (const auto& request : work.rollout) {
    rollout_result rollout;
    rollout.id = request.id;
    rollout.task = request.task;
    rollout.trial = request.trial;
    rollout.outcome = rollout_outcome::quarantined;
    rollout.error = out.error;
    out.rollout.push_back(std::move(rollout));
  }
  return out;
}

/// Empty unless it is such a verdict.
inline std::string given_up_because(const job_result& answer) {
  return answer.error.starts_with(quarantine_mark)
             ? answer.error.substr(quarantine_mark.size())
             : std::string{};
}

} // namespace brewery
