// Writes the log of a large run, as input of `brewery ui`: trees of ten
// versions, of which the first has as many as asked for, and rollouts of three
// steps, of which the first has as many steps as asked for. What it says is
// made up; its size is the point.
//
//   build/release/bench/large_run_bench RUNS_DIR
//                                       [rollouts [trees [steps [versions]]]]

#include "base/rng.hpp"
#include "coordinator/recorded.hpp"
#include "messages/job_msgs.hpp"
#include "messages/side_records.hpp"
#include "store/event_log.hpp"
#include "store/run_directory.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>

namespace {

using namespace brewery;

constexpr std::uint32_t versions_max = 1'000'000;
constexpr std::size_t batch = 2000;

job_id id_of(std::uint64_t n) {
  rng draw{rng_key(1, n)};
  return {fmt::format("{:016x}{:016x}", draw.next(), draw.next())};
}

doc_hash hash_of(std::uint64_t n) {
  return {id_of(n + (std::uint64_t{1} << 40U)).value};
}

event_row rollout(std::uint64_t n, std::uint64_t steps) {
  rollout_result out;
  out.id = id_of(n);
  out.task = {fmt::format("task-{}", n % 500)};
  out.trial = static_cast<std::uint32_t>(n / 500);
  out.grade.reward = static_cast<double>(n % 4) / 3;
  out.duration_us = 1'500'000;
  for (std::uint64_t i = 0; i < steps; ++i)
    out.steps.push_back({"assistant", "check_status_bar", "{\"line\": 1}",
                         fmt::format("step {}: signal {} of 4, data {}", i,
                                     n % 5, i % 2 ? "on" : "off"),
                         false, false, "look at the status bar first"});
  const std::string key = out.id.value;
  return event_of(make_result(std::move(out)), key);
}

/// A chain with side branches.
tree_record tree_of(std::uint32_t number, std::uint32_t versions) {
  tree_record out;
  out.concept_ref = {number};
  out.iteration = 1;
  for (std::uint32_t i = 0; i < versions; ++i) {
    node_record one;
    one.id = {i};
    one.parent = {i == 0 ? 0 : (i - 1) / 2};
    one.hash = hash_of(std::uint64_t{number} * versions_max + i);
    one.iteration = i > 0;
    one.visits = versions - i;
    one.reward = one.value = 0.1 * (i % 10);
    out.nodes.push_back(one);
  }
  return out;
}

} // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "large_run_bench: RUNS_DIR is missing\n");
    return 2;
  }
  const auto given = [&](int at, std::uint64_t otherwise) {
    return argc > at ? std::strtoull(argv[at], nullptr, 10) : otherwise;
  };
  const auto rollouts = given(2, 100'000);
  const auto trees = static_cast<std::uint32_t>(given(3, 1'000));
  const auto steps = given(4, 5'000);
  const auto versions = static_cast<std::uint32_t>(given(5, 10));
  const auto began = std::chrono::steady_clock::now();
  const auto run = run_directory::create(argv[1], "large");
  auto log = run ? begin_log(*run, "[search]\nstrategies = [\"mcts\"]\n")
                 : result<std::unique_ptr<event_log>>{run.error()};
  std::vector<event_row> rows;
  result<void> ok;
  if (!log) ok = log.error();
  const auto flush = [&] {
    if (ok) ok = (*log)->append(rows);
    rows.clear();
  };
  for (std::uint32_t i = 0; i < trees && ok; ++i) {
    concept_record about;
    about.id = {i};
    about.title = fmt::format("Concept {}", i);
    rows.push_back(event_of(about, fmt::format("mcts/concept {}", i)));
    rows.push_back(event_of(tree_of(i, i == 0 ? versions : 10),
                            tree_prefix("mcts", {i}) + "1"));
    if (rows.size() >= batch) flush();
  }
  for (std::uint64_t n = 0; n < rollouts && ok; ++n) {
    rows.push_back(rollout(n, n == 0 ? steps : 3));
    if (rows.size() >= batch) flush();
  }
  flush();
  if (!ok) {
    fmt::print(stderr, "large_run_bench: {}\n", ok.error().message);
    return 1;
  }
  fmt::print(
      "{} rollouts, {} trees, in {:.1f} s\n", rollouts, trees,
      std::chrono::duration<double>(std::chrono::steady_clock::now() - began)
          .count());
  return 0;
}
