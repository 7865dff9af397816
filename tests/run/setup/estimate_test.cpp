#include "run/setup/estimate.hpp"

#include <catch2/catch.hpp>

using namespace brewery;

TEST_CASE("rollouts that are certain are counted exactly") {
  config options;
  options.search.iterations = 0;
  options.search.initial_trials = 2;
  options.eval.test_trials = 4;
  const auto jobs = count_jobs(options, {10, 5, 20}, {3, 3});
  CHECK(jobs.learning.low == 20);
  CHECK(jobs.learning.high == 20);
  // No KB and the learned one.
  CHECK(jobs.testing.low == 160);
  CHECK(jobs.testing.high == 160);
  CHECK(jobs.integrations.high == 3); // the roots
  options.eval.leave_one_out = true;
  const auto more = count_jobs(options, {10, 5, 20}, {3, 3});
  CHECK(more.testing.low == 160);
  CHECK(more.testing.high == 160 + 3 * 80); // if all tasks read all documents
}

TEST_CASE("retrieval by vectors adds the embedder's calls") {
  config options;
  options.embedder.kind = "llm";
  const auto jobs = count_jobs(options, {10, 5, 20}, {3, 3});
  const auto calls = [&] {
    return estimate_roles(options, jobs, assumed_use(options), {})
        .front()
        .calls;
  };
  const auto words = calls();
  options.retrieval.kind = "hybrid";
  options.retrieval.per_observation = false;
  const auto once = calls();
  CHECK(once.low == words.low + jobs.integrations.low);
  CHECK(once.high
        == words.high + jobs.integrations.high + jobs.rollouts().high);
  options.retrieval.per_observation = true;
  CHECK(calls().high > once.high);
}

TEST_CASE("more of anything is never less work") {
  config small;
  small.search.tree.max_width = 8;
  const task_counts tasks{20, 10, 10};
  const auto base = count_jobs(small, tasks, {3, 6});
  const auto grown = [&](auto change) {
    config more = small;
    change(more);
    const auto jobs = count_jobs(more, tasks, {3, 6});
    CHECK(jobs.rollouts().low >= base.rollouts().low);
    CHECK(jobs.rollouts().high > base.rollouts().high);
    CHECK(jobs.rollouts().low <= jobs.rollouts().high);
  };
  grown([](config& c) { ++c.search.iterations; });
  grown([](config& c) { ++c.search.tree.candidates; });
  grown([](config& c) { ++c.search.tree.expansions; });
  grown([](config& c) { ++c.search.initial_trials; });
  grown([](config& c) { ++c.eval.test_trials; });
  grown([](config& c) { c.search.strategies.push_back("greedy"); });
}

TEST_CASE("trees that train on their own versions share no rollouts") {
  config shared;
  shared.search.iterations = 5;
  auto own = shared;
  own.search.train_on_selected = true;
  const task_counts tasks{20, 10, 10};
  const auto once = count_jobs(shared, tasks, {3, 6}).learning;
  const auto each = count_jobs(own, tasks, {3, 6}).learning;
  CHECK(each.low == once.low);
  const double first = 20.0 * shared.search.initial_trials;
  CHECK(each.high - first == 6 * (once.high - first));
  // And each tree may embed what is new in every iteration.
  CHECK(count_jobs(shared, tasks, {3, 6}).embeddings.high == 2 + 5 * 6);
}

TEST_CASE("strategies that find the same documents cost what one costs") {
  config one;
  one.search.strategies = {"mcts"};
  auto three = one;
  three.search.strategies = {"mcts", "greedy", "iterative"};
  const task_counts tasks{20, 10, 10};
  const auto least = count_jobs(one, tasks, {6, 6});
  const auto most = count_jobs(three, tasks, {6, 6});
  CHECK(most.rollouts().low == least.rollouts().low);
  CHECK(most.integrations.low == least.integrations.low);
  // The first documents and the first rollouts are those of all strategies.
  const double roots = 6;
  const double iterations = one.search.iterations;
  CHECK(least.integrations.high - roots == 6 * iterations * 3);
  // The strategy iterative draws one candidate where the others draw three.
  CHECK(most.integrations.high - roots == 6 * iterations * (3 + 3 + 1));
  const double first = 20.0 * one.search.initial_trials;
  CHECK(most.learning.high - first == 3 * (least.learning.high - first));
  one.search.strategies.clear();
  CHECK(count_jobs(one, tasks, {6, 6}).integrations.high == 0);
  CHECK(count_jobs(one, tasks, {6, 6}).learning.high == 0);
  one.eval.baselines = {"in-context"}; // its examples are first rollouts
  CHECK(count_jobs(one, tasks, {6, 6}).learning.low == first);
  one.eval.baselines = {"step-back", "cognee-mechanism", "a-mem-mechanism"};
  CHECK(count_jobs(one, tasks, {6, 6}).learning.low == first);
  // Each of them is recorded for both; a model says how notes evolve.
  CHECK(count_jobs(one, tasks, {6, 6}).memory.high == 2 * first);
  one.memory.kind = "llm";
  CHECK(count_jobs(one, tasks, {6, 6}).memory.low == 2 * first);
  CHECK(count_jobs(one, tasks, {6, 6}).memory.high == 3 * first);
}

TEST_CASE("a role that a learner never asks is not in an estimate") {
  config options;
  options.search.learner = "muse";
  for (auto* kind :
       {&options.agent.kind, &options.reflector.kind, &options.judge.kind,
        &options.integrator.kind, &options.memory.kind, &options.embedder.kind})
    *kind = "llm";
  options.judge.with_reflector = false;
  const auto asked = [&] {
    const auto jobs = count_jobs(options, {10, 5, 20}, {3, 4});
    std::map<std::string, range> out;
    for (const auto& one :
         estimate_roles(options, jobs, assumed_use(options), {}))
      out[one.role] = one.calls;
    return out;
  };
  const auto plain = asked();
  CHECK(plain.size() == 2);
  CHECK(plain.contains("agent"));
  // Each of 4 applications may be put in order after each batch.
  const double batches = 10.0 * options.muse.iterations / options.muse.batch;
  CHECK(plain.at("integrator").high
        == batches * 4 * assumed_use(options).at("integrator").calls.high);
  // What is played for an arm is reflected on, and recorded for a memory.
  options.eval.baselines = {"a-mem-mechanism"};
  const auto more = asked();
  const double first = 10.0 * options.search.initial_trials;
  CHECK(more.at("reflector").low == first);
  CHECK(more.at("judge").low == first);
  CHECK(more.contains("memory"));
}

TEST_CASE("no expansion draws more candidates than the width leaves") {
  const auto most = [](std::uint32_t candidates, std::uint32_t width) {
    config options;
    options.search.tree.candidates = candidates;
    options.search.tree.max_width = width;
    return count_jobs(options, {20, 10, 10}, {1, 1}).integrations.high;
  };
  CHECK(most(search_options::fill_width, 10) == most(10, 10));
  CHECK(most(7, 3) == most(3, 3));
  CHECK(most(2, 3) < most(3, 3));
}

TEST_CASE("expansions draw as far as there is room in the tree") {
  const auto drawn = [](std::uint32_t expansions, std::uint32_t iterations) {
    config options;
    options.search.iterations = iterations;
    options.search.tree.expansions = expansions;
    auto out = count_jobs(options, {20, 10, 10}, {1, 1}).integrations;
    return std::pair{out.low - 1, out.high - 1}; // without the root
  };
  CHECK(drawn(1, 10) == std::pair{30.0, 30.0});
  // At first only the root can be expanded, then the three below it.
  CHECK(drawn(9, 1) == std::pair{3.0, 3.0});
  CHECK(drawn(9, 2) == std::pair{6.0, 3.0 + 9.0});
  CHECK(drawn(2, 10) == std::pair{30.0, 3.0 + 9 * 6.0});
  // 3 + 9 + 27 versions fill a tree; more draws are of duplicates.
  CHECK(drawn(2, 20).first == 39);
  config path;
  path.search.strategies = {"iterative"};
  path.search.tree.expansions = 5;
  CHECK(count_jobs(path, {20, 10, 10}, {1, 1}).integrations.high == 11);
}

TEST_CASE("confirmed and repeated scores are counted at the high end") {
  const auto scoring = [](std::uint32_t confirm, bool rescore) {
    config options;
    options.search.iterations = 6;
    options.eval.max_per_concept = 8;
    options.eval.trials = 3;
    options.economy.confirm = confirm;
    options.economy.rescore = rescore;
    return count_jobs(options, {20, 10, 10}, {2, 4}).scoring;
  };
  const auto plain = scoring(0, false);
  CHECK(scoring(5, false).low == plain.low);
  // A challenger and the published version, of 4 trees in 6 iterations.
  CHECK(scoring(5, false).high == plain.high + 4 * 6 * 2 * 5 * 8);
  CHECK(scoring(0, true).high == plain.high + 4 * 6 * 2 * 3 * 8);
  CHECK(scoring(5, true).low == plain.low);
}

TEST_CASE("without selection nothing is confirmed, also in an estimate") {
  config options;
  options.search.tree.publish_newest = true;
  const auto scoring = [&](std::uint32_t confirm) {
    options.economy.confirm = confirm;
    return count_jobs(options, {20, 10, 10}, {2, 4}).scoring;
  };
  CHECK(scoring(5).high == scoring(0).high);
}

TEST_CASE("the rollouts of a finished run are those that it played") {
  auto jobs = count_jobs({}, {10, 5, 10}, {2, 4});
  jobs.played = 77;
  CHECK(jobs.rollouts().low == 77);
  CHECK(jobs_of("agent", jobs).high == 77);
}

TEST_CASE("a judge in the reflector's call costs its reply only") {
  config options;
  options.judge.kind = options.reflector.kind = "llm";
  options.judge.llm.model = options.reflector.llm.model = "large";
  const auto jobs = count_jobs(options, {10, 5, 10}, {2, 4});
  const std::map<std::string, role_use> use{
      {"judge", {{1, 1}, 1'000, 0, 100, 2}},
      {"reflector", {{1, 1}, 1'000, 0, 300, 2}}};
  const auto one = estimate_roles(options, jobs, use, {});
  REQUIRE(one.size() == 1);
  CHECK(one[0].role == "reflector");
  CHECK(one[0].tokens.low == Approx(jobs.learning.low * 1'400));
  options.judge.llm.temperature = 0.9;
  CHECK(estimate_roles(options, jobs, use, {}).size() == 2);
  options.judge.llm.temperature = options.reflector.llm.temperature;
  options.judge.with_reflector = false;
  CHECK(estimate_roles(options, jobs, use, {}).size() == 2);
}

TEST_CASE("only roles on a model cost something, at their model's price") {
  config options;
  const auto jobs = count_jobs(options, {10, 5, 10}, {2, 4});
  CHECK(estimate_roles(options, jobs, assumed_use(options), {}).empty());
  options.judge.kind = "llm";
  const std::map<std::string, role_use> use{
      {"judge", {{1, 1}, 1'000, 200, 100, 2}}};
  const auto made = estimate_roles(
      options, jobs, use,
      {{"judge", {per_token(1), per_token(0.5), per_token(10)}}});
  REQUIRE(made.size() == 1);
  CHECK(made[0].role == "judge");
  CHECK(made[0].calls.low == jobs.learning.low);
  CHECK(made[0].tokens.high == Approx(jobs.learning.high * 1'100));
  const double each = (800 * 1 + 200 * 0.5 + 100 * 10) / 1e6;
  CHECK(made[0].cost_usd.low == Approx(jobs.learning.low * each));
  CHECK(made[0].seconds.high == Approx(jobs.learning.high * 2));
}

TEST_CASE("an attempt makes no more calls than the configuration allows") {
  config options;
  options.agent.kind = options.user.kind = "llm";
  for (const std::uint32_t most : {3u, 8u, 250u}) {
    options.agent.max_calls = most;
    const auto assumed = assumed_use(options);
    CHECK(assumed.at("agent").calls.high == most);
    CHECK(assumed.at("agent").calls.low == std::min(6u, most));
    CHECK(assumed.at("user").calls.high == most + 1); // it speaks first
  }
  std::map<std::string, role_use> measured{
      {"agent", {{4, 12}, 1'000, 0, 50, 1}},
      {"judge", {{1, 12}, 1'000, 0, 50, 1}}};
  options.agent.max_calls = 8;
  limit_use(options, measured);
  CHECK(measured.at("agent").calls.high == 8);
  CHECK(measured.at("agent").calls.low == 4);
  CHECK(measured.at("judge").calls.high == 12);
}

TEST_CASE("an attempt at a spreadsheet makes no more calls than it has turns") {
  config options;
  options.agent.kind = "llm";
  options.environment.kind = "spreadsheet";
  options.environment.spreadsheet.turns = 5;
  CHECK(assumed_use(options).at("agent").calls.low == 5);
  CHECK(assumed_use(options).at("agent").calls.high == 5);
  options.agent.max_calls = 3;
  CHECK(assumed_use(options).at("agent").calls.high == 3);
}

TEST_CASE("who draws plans and asks for places is counted with both") {
  config options;
  options.agent.kind = "llm";
  options.agent.max_calls = 10;
  const auto calls_of = [&](const std::string& role) {
    job_counts jobs;
    jobs.testing = {1, 1};
    for (const auto& item :
         estimate_roles(options, jobs, assumed_use(options), {}))
      if (item.role == role) return item.calls;
    return range{};
  };
  CHECK(calls_of("agent").low == 6);
  CHECK(calls_of("agent").high == 10);
  CHECK(calls_of("grounder").high == 0);
  options.agent.format = "gta1";
  options.agent.plans = 1;
  CHECK(calls_of("agent").high == 10);
  CHECK(calls_of("grounder").low == 3);
  CHECK(calls_of("grounder").high == 20); // a drag has two places
  options.agent.plans = 8;                // and one call that chooses
  CHECK(calls_of("agent").low == 54);
  CHECK(calls_of("agent").high == 90);
  CHECK(calls_of("grounder").high == 20);
}

TEST_CASE("a longer attempt has longer prompts, and each is paid") {
  config options;
  options.agent.kind = "llm";
  job_counts jobs;
  jobs.played = 1;
  const std::map<std::string, role_use> use{
      {"agent", {{1, 5}, 1'000, 0, 10, 1, 100}}};
  const auto made =
      estimate_roles(options, jobs, use, {{"agent", {per_token(1), 0, 0}}});
  REQUIRE(made.size() == 1);
  CHECK(made[0].tokens.low == 1'010);
  // 1000, 1100, ..., 1400 tokens, and 10 of each reply.
  CHECK(made[0].tokens.high == 6'000 + 50);
  CHECK(made[0].cost_usd.high == Approx(6'000 / 1e6));
}

TEST_CASE("a memory that does not learn plays train tasks for an arm only") {
  config options;
  options.search.learner = "agent_kb";
  const task_counts tasks{10, 5, 20};
  const auto learns = count_jobs(options, tasks, {3, 3});
  CHECK(learns.learning.low > 0);
  CHECK(learns.integrations.high > 0);
  options.agent_kb.learn = false;
  options.agent_kb.start_from = "kb";
  const auto bare = count_jobs(options, tasks, {3, 3});
  CHECK(bare.learning.high == 0);
  CHECK(bare.integrations.high == 0);
  CHECK(bare.memory.high
        == learns.memory.high - 10.0 * (options.agent_kb.rounds + 1)
               - 40.0 * options.agent_kb.rounds);
  options.eval.baselines = {"in-context"};
  CHECK(count_jobs(options, tasks, {3, 3}).learning.high
        == 10.0 * options.search.initial_trials);
}

TEST_CASE("an oracle may end each session of Agent KB after one attempt") {
  config options;
  options.search.learner = "agent_kb";
  const task_counts tasks{10, 5, 20};
  const auto without = count_jobs(options, tasks, {3, 3});
  options.search.learner = "agent_kb_oracle";
  const auto told = count_jobs(options, tasks, {3, 3});
  CHECK(told.learning.high == without.learning.high);
  CHECK(told.testing.high == without.testing.high);
  CHECK(told.learning.low
        == without.learning.low - 10.0 * options.agent_kb.rounds);
  CHECK(told.testing.low
        == without.testing.low - 20.0 * options.eval.test_trials);
  options.agent_kb.feedback = false;
  const auto once = count_jobs(options, tasks, {3, 3});
  CHECK(once.learning.low == once.learning.high);
}

TEST_CASE("examples are played for where learning did not begin with them") {
  config options;
  CHECK(options.begins_with_rollouts());
  options.search.learner = "agent_kb";
  CHECK(options.begins_with_rollouts());
  options.agent_kb.learn = false;
  CHECK_FALSE(options.begins_with_rollouts());
  options.search.learner = "muse";
  CHECK_FALSE(options.begins_with_rollouts());
  options.search.learner = "brew";
  options.search.strategies.clear();
  CHECK_FALSE(options.begins_with_rollouts());
}
