/// What a rollout's fingerprint depends on: all that results depend on, and
/// nothing else.

#include "run/setup/job_runner_factory.hpp"
#include "run/setup/problem.hpp"

#include <catch2/catch.hpp>

#include <functional>
#include <set>

using namespace brewery;

namespace {

result<configured_runner> runner_for(const config& options) {
  const auto source = load_benchmark(options.environment);
  if (!source) return source.error();
  return make_job_runner(options, *source, std::make_shared<document_store>(),
                         std::make_shared<process_metrics>(), nullptr);
}

std::string print_of(const std::function<void(config&)>& change) {
  config options;
  options.environment.kind = "toy";
  change(options);
  const auto made = runner_for(options);
  if (!made) FAIL(made.error().message);
  CHECK(made->runner);
  return made->fingerprint;
}

} // namespace

TEST_CASE("what results depend on is part of the fingerprint") {
  std::set<std::string> prints{print_of([](config&) {})};
  for (const auto& change : std::vector<std::function<void(config&)>>{
           [](config& c) { c.agent.max_calls = 7; },
           [](config& c) { c.retrieval.top_k = 5; },
           [](config& c) { c.environment.spreadsheet.turns = 9; },
           [](config& c) { c.environment.tau2.max_steps = 9; },
       })
    CHECK(prints.insert(print_of(change)).second);
}

TEST_CASE("rules of the environment are part of the key of every rollout") {
  const auto made = [](std::uint32_t turns) {
    config options;
    options.environment.kind = "toy";
    options.environment.spreadsheet.turns = turns;
    auto out = runner_for(options);
    if (!out) FAIL(out.error().message);
    return std::move(*out);
  };
  const auto one = made(8), other = made(9);
  CHECK(one.playing != other.playing);
  CHECK(one.reflecting != other.reflecting);
}

TEST_CASE("what results do not depend on is no part of the fingerprint") {
  const auto usual = print_of([](config&) {});
  for (const auto& change : std::vector<std::function<void(config&)>>{
           [](config& c) { c.run.seed = 9; },
           [](config& c) { c.run.threads = 3; },
           [](config& c) { c.cluster.lease_ms = 77; },
           [](config& c) { c.search.iterations = 1; },
           [](config& c) { c.environment.simulated_latency_ms = 9; },
           [](config& c) { c.environment.external.child.step_timeout_ms = 9; },
       })
    CHECK(print_of(change) == usual);
}
