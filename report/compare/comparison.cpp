#include "report/compare/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace brewery {

namespace {

constexpr value_range differences{-1, 1};

error refused(std::string message) {
  return {ec::invalid_argument, "compare: " + std::move(message)};
}

/// Other data has other tasks, even if they have the same names.
values_by_task distinct_grades(const measured_run& run) {
  values_by_task out;
  for (const auto& [task, grade] : grades_of(run.arm))
    out.emplace(run.data + ' ' + task, grade);
  return out;
}

std::vector<values_by_task> all_grades(const std::vector<measured_run>& runs) {
  std::vector<values_by_task> out;
  for (const auto& run : runs)
    out.push_back(distinct_grades(run));
  return out;
}

std::size_t distinct_tasks(const std::vector<values_by_task>& seeds) {
  std::set<std::string> out;
  for (const auto& one : seeds)
    for (const auto& [task, value] : one)
      out.insert(task);
  return out.size();
}

/// The bounds are means over runs, as the score is.
unscored_attempts unscored_in(const std::vector<measured_run>& runs) {
  unscored_attempts out{.count = 0, .of = 0, .lowest = 0, .highest = 0};
  const auto each = 1 / static_cast<double>(runs.size());
  for (const auto& run : runs) {
    const auto one = count_unscored(run.arm.rewards, run.trials);
    out.count += one.count;
    out.of += one.of;
    out.lowest += each * one.lowest;
    out.highest += each * one.highest;
  }
  return out;
}

void add_attempts(compared& out, const std::vector<measured_run>& runs) {
  for (const auto& run : runs)
    for (const auto& one : run.arm.counts)
      if (one.what == "attempts") {
        out.attempts += one.count;
        out.scored_attempts += run.arm.tasks.size() * run.trials;
      }
}

bool is_whole(const measured_run& run) {
  return std::ranges::all_of(run.arm.rewards, [](const auto& task) {
    return std::ranges::all_of(
        task, [](double grade) { return grade < 1e-6 || grade > 1 - 1e-6; });
  });
}

error both_of_seed(const std::string& name, const measured_run& run,
                   const run_group& of) {
  return refused(fmt::format("{} and {} of \"{}\" are both of seed {}", name,
                             run.name, of.name, run.seed));
}

result<std::map<std::uint64_t, const measured_run*>>
by_seed(const run_group& one) {
  std::map<std::uint64_t, const measured_run*> out;
  for (const auto& run : one.runs)
    if (const auto [known, first] = out.emplace(run.seed, &run); !first)
      return both_of_seed(known->second->name, run, one);
  return out;
}

/// It would pass for two seeds.
result<void> has_no_run_twice(const run_group& one) {
  std::map<std::pair<std::uint64_t, std::string>, std::string> seen;
  for (const auto& run : one.runs)
    if (const auto [known, first] =
            seen.try_emplace({run.seed, run.data}, run.name);
        !first)
      return both_of_seed(known->second, run, one);
  return {};
}

using run_pairs =
    std::vector<std::pair<const measured_run*, const measured_run*>>;

result<run_pairs> paired(const run_group& one, const run_group& other) {
  run_pairs out;
  if (one.runs.size() == 1 && other.runs.size() == 1) {
    out.emplace_back(&one.runs.front(), &other.runs.front());
  } else {
    const auto left = by_seed(one), right = by_seed(other);
    if (!left) return left.error();
    if (!right) return right.error();
    for (const auto& [seed, run] : *left)
      if (const auto found = right->find(seed); found != right->end())
        out.emplace_back(run, found->second);
  }
  for (const auto& [a, b] : out)
    if (a->data != b->data)
      return refused(
          fmt::format("{} and {} measured other data ({} and {}), so no task "
                      "of one is a task of the other",
                      a->name, b->name, a->data, b->data));
  return out;
}

result<void> add_difference(compared& out, const run_group& one,
                            const run_group& first) {
  const auto pairs = paired(one, first);
  if (!pairs) return pairs.error();
  std::vector<values_by_task> gaps;
  for (const auto& [a, b] : *pairs) {
    auto gap = differences_of(distinct_grades(*a), distinct_grades(*b));
    if (!gap.empty()) gaps.push_back(std::move(gap));
  }
  out.paired_runs = gaps.size();
  out.paired_tasks = distinct_tasks(gaps);
  if (!gaps.empty())
    out.difference = bootstrap_seeds(gaps, differences, interval_seed);
  return {};
}

} // namespace

std::optional<estimate> score_of(const std::vector<measured_run>& runs) {
  const auto grades = all_grades(runs);
  if (distinct_tasks(grades) == 0) return std::nullopt;
  return bootstrap_seeds(grades, {0, 1}, interval_seed);
}

result<comparison> compare(const std::vector<run_group>& contenders) {
  comparison out;
  for (const auto& one : contenders) {
    if (auto ok = has_no_run_twice(one); !ok) return ok.error();
    for (const auto& run : one.runs) {
      const auto& first = contenders.front().runs.front();
      if (run.benchmark != first.benchmark)
        return refused(fmt::format("{} is a run of {}, {} of {}", first.name,
                                   first.benchmark, run.name, run.benchmark));
      out.whole_grades = out.whole_grades && is_whole(run);
    }
    compared made{.name = one.name,
                  .runs = one.runs.size(),
                  .tasks = distinct_tasks(all_grades(one.runs)),
                  .score = score_of(one.runs),
                  .unscored = unscored_in(one.runs),
                  .difference = {}};
    add_attempts(made, one.runs);
    if (&one != &contenders.front())
      if (auto ok = add_difference(made, one, contenders.front()); !ok)
        return ok.error();
    out.contenders.push_back(std::move(made));
  }
  if (!contenders.empty())
    out.benchmark = contenders.front().runs.front().benchmark;
  return out;
}

} // namespace brewery
