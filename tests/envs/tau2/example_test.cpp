/// The committed example problem, played through the environment: it must be
/// solvable, not solved by itself, and need every remedy.

#include "base/text.hpp"
#include "envs/tau2/tau2_benchmark.hpp"
#include "envs/tau2/telecom/telecom_generator.hpp"
#include "tests/envs/tau2/telecom/faults.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <unistd.h>

using namespace brewery;
using namespace brewery::tau2;

namespace {

const std::filesystem::path example =
    std::filesystem::path{BREWERY_SOURCE_DIR} / "examples" / "telecom";

std::shared_ptr<const tau2_benchmark> load_example() {
  auto loaded = load_tau2("tau2-telecom", example);
  if (!loaded) FAIL(loaded.error().message);
  return *loaded;
}

std::unique_ptr<tau2_environment> start(const tau2_benchmark& bench,
                                        const task_id& id) {
  auto env = bench.open(id, play_mode::solo);
  if (!env) FAIL(env.error().message);
  return std::move(*env);
}

std::string text_of(const std::filesystem::path& file) {
  std::ifstream in{file, std::ios::binary};
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// A directory of this test's own, removed with it.
struct scratch_directory {
  std::filesystem::path path;
  explicit scratch_directory(const std::string& name)
      : path(std::filesystem::temp_directory_path()
             / ("brewery-" + name + std::to_string(::getpid()))) {
    std::filesystem::remove_all(path);
  }
  ~scratch_directory() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
};

/// The faults of a generated task, from its id.
std::vector<const telecom_fault*> faults_of(const task_id& id) {
  std::vector<const telecom_fault*> out;
  for (const auto name : split(split(id.value, '/').at(2), '+')) {
    const auto* row = find_fault(name);
    INFO(id.value);
    REQUIRE(row != nullptr);
    out.push_back(row);
  }
  return out;
}

/// Plays the gold actions from `first` on, `skipped` of them left out.
double play(tau2_environment& env, const task& item, std::size_t first = 0,
            std::size_t skipped = 0) {
  const auto& actions = *item.criteria->actions;
  for (std::size_t i = 0; i < actions.size(); ++i) {
    if (i >= first && i < first + skipped) continue;
    const auto answer = env.call(actions[i].name, actions[i].arguments);
    INFO(actions[i].name << " " << actions[i].arguments.dump() << " -> "
                         << answer.content);
    if (skipped == 0) CHECK_FALSE(answer.failed);
  }
  return env.grade()->reward;
}

} // namespace

TEST_CASE("no example task succeeds when nothing is done, nor by looking") {
  const auto bench = load_example();
  for (const auto& info : bench->tasks()) {
    INFO(info.id.value);
    const auto env = start(*bench, info.id);
    CHECK(env->grade()->reward == 0.0);
    for (const auto& tool : env->tools())
      if (tool.kind == tool_kind::read && tool.parameters.empty())
        env->call(tool.name, json::object());
    CHECK(env->grade()->reward == 0.0);
  }
}

TEST_CASE("the gold actions solve every example task") {
  const auto bench = load_example();
  REQUIRE(bench->tasks().size() == 160);
  for (const auto& info : bench->tasks()) {
    INFO(info.id.value);
    CHECK(play(*start(*bench, info.id), *bench->find(info.id)) == 1.0);
  }
}

TEST_CASE("an example task fails when one fault's remedy is left out") {
  const auto bench = load_example();
  std::size_t tried = 0;
  for (const auto& info : bench->tasks()) {
    const auto& item = *bench->find(info.id);
    const auto faults = faults_of(info.id);
    const auto& actions = *item.criteria->actions;
    if (actions.front().name == "transfer_to_human_agents") {
      INFO(info.id.value);
      CHECK(play(*start(*bench, info.id), item, 0, 1) == 0.0);
      continue;
    }
    std::size_t first = 0;
    for (const auto* fault : faults) {
      INFO(info.id.value << " without the remedy of " << fault->id);
      const std::size_t steps = fault->remedy.size();
      CHECK(play(*start(*bench, info.id), item, first, steps) == 0.0);
      first += steps;
      ++tried;
    }
    const bool reboots = actions.back().name == "reboot_device";
    CHECK(first + reboots == actions.size());
  }
  CHECK(tried > 300);
}

TEST_CASE("handing over solves no example task that can be cured") {
  const auto bench = load_example();
  for (const auto& info : bench->tasks()) {
    const auto& item = *bench->find(info.id);
    if (item.criteria->actions->front().name == "transfer_to_human_agents")
      continue;
    INFO(info.id.value);
    const auto env = start(*bench, info.id);
    env->call("transfer_to_human_agents", {{"summary", "please"}});
    CHECK(env->grade()->reward == 0.0);
  }
}

TEST_CASE("any wording hands a hopeless case over") {
  const auto bench = load_example();
  std::size_t seen = 0;
  for (const auto& info : bench->tasks()) {
    const auto& item = *bench->find(info.id);
    if (item.criteria->actions->front().name != "transfer_to_human_agents")
      continue;
    ++seen;
    INFO(info.id.value);
    const auto env = start(*bench, info.id);
    env->call("transfer_to_human_agents", {{"summary", info.instruction}});
    CHECK(env->grade()->reward == 1.0);
  }
  CHECK(seen >= 9);
}

TEST_CASE("generating the example again gives the committed bytes") {
  const scratch_directory out{"generate"};
  const auto done = generate_telecom({.customers = example}, out.path);
  if (!done) FAIL(done.error().message);
  for (const char* name :
       {"db.toml", "user_db.toml", "tasks.json", "split_tasks.json"}) {
    INFO(name);
    const std::string committed = text_of(example / name);
    REQUIRE_FALSE(committed.empty());
    // Not CHECK(a == b): a difference would print 350 kB twice.
    CHECK((text_of(out.path / name) == committed));
  }
}

TEST_CASE("other seeds are sound problems too") {
  for (const std::uint64_t seed : {2u, 3u, 4u}) {
    const scratch_directory out{"seed" + std::to_string(seed)};
    INFO("generator seed " << seed);
    const auto done =
        generate_telecom({.seed = seed, .customers = example}, out.path);
    if (!done) FAIL(done.error().message);
    auto bench = load_tau2("tau2-telecom", out.path);
    if (!bench) FAIL(bench.error().message);
    for (const auto& info : (*bench)->tasks()) {
      INFO(info.id.value);
      CHECK(start(**bench, info.id)->grade()->reward == 0.0);
      CHECK(play(*start(**bench, info.id), *(*bench)->find(info.id)) == 1.0);
    }
  }
}

TEST_CASE("the generator uses lines that cases can be about, in file order") {
  const auto lines = load_lines(example / "db.toml");
  REQUIRE(lines);
  std::vector<std::string> ids;
  for (const auto& item : *lines)
    ids.push_back(item.line_id);
  // Not the suspended L2003, the router L2009.
  CHECK(ids
        == std::vector<std::string>{"L2001", "L2002", "L2004", "L2005", "L2006",
                                    "L2007", "L2008", "L2010"});
  CHECK(lines->front().full_name == "Nora Lindqvist");
  CHECK(lines->front().phone_number == "303-555-0111");
  CHECK(lines->front().data_limit_gb == 12.0);
}

TEST_CASE("the generator says which file it cannot read or write") {
  const scratch_directory out{"refused"};
  const auto no_input =
      generate_telecom({.customers = out.path / "absent"}, out.path);
  REQUIRE_FALSE(no_input);
  CHECK_THAT(no_input.error().message, Catch::Contains("absent/db.toml"));
  std::filesystem::create_directories(out.path / "tasks.json");
  const auto no_output = generate_telecom({.customers = example}, out.path);
  REQUIRE_FALSE(no_output);
  CHECK(no_output.error().code == ec::io);
  CHECK_THAT(no_output.error().message, Catch::Contains("tasks.json"));
}
