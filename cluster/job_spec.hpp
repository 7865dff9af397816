#pragma once
/// Makes the job table's job specs and worker specs from messages. PURE.

#include "cluster/packed_result.hpp"
#include "cluster/table/job_table.hpp"

#include <algorithm>
#include <string_view>

namespace brewery {

/// `benchmark` is the fingerprint that the run's rollouts require, `tags` what
/// their workers must have.
inline job_spec spec_of(const job& work, const std::string& benchmark,
                        const std::set<std::string>& tags = {}) {
  job_spec out{work.id, {kind_of(work), {}}, {}};
  std::uint32_t usual = 0; // stages after it, where the search says nothing
  if (const auto* rollout = std::get_if<rollout_job>(&work.input)) {
    out.needs.benchmark = benchmark;
    out.needs.tags = tags;
    out.duration_key = rollout->task.value;
    // A tree learns from it before it has candidates to score.
    if (rollout->reflect) usual = 3;
    if (work.then)
      for (const auto& wave : *work.then)
        for (auto& keys = out.then.emplace_back(); const auto& task : wave)
          keys.push_back(task.value);
  } else if (const auto* writing = std::get_if<integrate_job>(&work.input)) {
    out.duration_key = std::to_string(writing->concept_ref.value);
    usual = 1;
  } else if (const auto* grade = std::get_if<grade_job>(&work.input)) {
    out.needs.benchmark = grade->goldens;
    out.duration_key = grade->task.value;
    out.holds_slot = true;
  } else if (const auto* memory = std::get_if<memory_job>(&work.input)) {
    out.duration_key = memory->learner + " " + memory->step;
    usual = 1;
  } else {
    usual = 2; // an embedding, before what is written
  }
  out.stages_after = std::max(work.stages_after, usual);
  return out;
}

inline worker_spec spec_of(const worker_hello& hello) {
  worker_spec out{
      hello.worker, hello.incarnation, hello.host, hello.slots, {}, {}};
  for (const auto& role : hello.roles) // maybe of a newer release
    if (const auto kind = parse_job_kind(role)) out.kinds.insert(*kind);
  for (const auto& offer : hello.benchmarks) {
    out.benchmarks.insert(offer.fingerprint);
    out.benchmark_names.insert(offer.name);
  }
  out.tags.insert(hello.tags.begin(), hello.tags.end());
  out.slots_for = hello.slots_for;
  return out;
}

/// Text of a worker is cut to this length before it is shown or stored.
inline constexpr std::size_t shown_bytes_max = 500;

/// Letters, digits and `marks`, at least one of them.
inline bool is_word(std::string_view text, std::size_t bytes_max,
                    std::string_view marks) {
  return !text.empty() && text.size() <= bytes_max
         && std::all_of(text.begin(), text.end(), [&](char c) {
              return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
                     || (c >= '0' && c <= '9')
                     || marks.find(c) != std::string_view::npos;
            });
}

inline constexpr std::string_view tag_rule =
    "1 to 40 letters, digits, '.', '_' or '-'";

/// Whether the text is a tag of a worker.
inline bool is_tag(std::string_view text) {
  return is_word(text, 40, "._-");
}

/// What a worker may be called: it stands in lines of logs, between spaces, and
/// in orders. Others come from outside and are shown as one line.
inline constexpr std::string_view worker_name_rule =
    "1 to 100 letters, digits, '.', '_', '-', ':' or '@'";

inline bool is_worker_name(std::string_view text) {
  return is_word(text, 100, "._-:@");
}

/// Why this worker is refused, or empty if it is accepted.
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
  constexpr std::size_t max_words = 100;
  if (hello.tags.size() > max_words || hello.slots_for.size() > max_words
      || hello.benchmarks.size() > max_words || hello.roles.size() > max_words)
    return "it names more than 100 tags, roles, benchmarks, or benchmarks with "
           "slots of their own";
  constexpr std::size_t max_word_bytes = 1000;
  const auto is_long = [](const std::string& text) {
    return text.size() > max_word_bytes;
  };
  if (is_long(hello.incarnation) || is_long(hello.host)
      || std::any_of(hello.benchmarks.begin(), hello.benchmarks.end(),
                     [&](const auto& one) {
                       return is_long(one.name) || is_long(one.fingerprint);
                     })
      || std::any_of(hello.roles.begin(), hello.roles.end(), is_long)
      || std::any_of(hello.slots_for.begin(), hello.slots_for.end(),
                     [&](const auto& one) { return is_long(one.first); }))
    return "its host, incarnation, a role or a benchmark has more than 1000 "
           "bytes";
  // Results that no coordinator has taken yet are among them.
  constexpr std::size_t max_jobs = 10'000;
  if (hello.jobs.size() > hello.slots + max_jobs)
    return "it has " + std::to_string(hello.jobs.size())
           + " jobs in hand; 10000 beyond its slots are possible";
  for (const auto& tag : hello.tags)
    if (!is_tag(tag))
      return "it has a tag that is none: " + std::string{tag_rule};
  for (const auto& [kind, slots] : hello.slots_for)
    if (slots == 0) return "it offers no slot for " + kind;
  if (hello.incarnation.empty() || hello.roles.empty())
    return "it names no incarnation or no role";
  return {};
}

/// The newest protocol that both sides speak.
inline std::uint32_t common_protocol(const worker_hello& hello) {
  return std::min(hello.protocol_max, protocol_newest);
}

/// True if the job did not fail but was cancelled because its run asks no
/// models any more. It counts against no job and no worker.
inline bool is_cancelled(std::string_view error) {
  return error.starts_with(to_string(ec::cancelled));
}

inline constexpr std::string_view quarantine_mark = "quarantined: ";

/// The answer to those who requested a job that was given up.
inline job_result quarantine_verdict(const job& work,
                                     const std::string& reason) {
  job_result out;
  out.id = work.id;
  out.error = std::string{quarantine_mark} + reason;
  if (const auto* request = std::get_if<rollout_job>(&work.input)) {
    rollout_result rollout;
    rollout.id = request->id;
    rollout.task = request->task;
    rollout.trial = request->trial;
    rollout.outcome = rollout_outcome::quarantined;
    rollout.error = out.error;
    out.output = std::move(rollout);
  }
  return out;
}

/// The reason of such a verdict; empty for other answers.
inline std::string given_up_because(const job_result& answer) {
  return answer.error.starts_with(quarantine_mark)
             ? answer.error.substr(quarantine_mark.size())
             : std::string{};
}

/// Neither such a verdict nor what the pool answers where the log has the
/// result already.
inline bool is_result(const packed_result& answer) {
  return !answer.bytes.empty() && given_up_because(answer.brief).empty();
}

} // namespace brewery
