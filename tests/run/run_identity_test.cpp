#include "config/load.hpp"
#include "config/print.hpp"
#include "messages/wire/codec.hpp"
#include "run/run_identity.hpp"
#include "run/setup/job_runner_factory.hpp"
#include "run/setup/problem.hpp"
#include "tests/fixtures/old_environment.hpp"

#include <catch2/catch.hpp>

using namespace brewery;
using namespace brewery::test;

namespace {

config read(const std::string& text) {
  const auto loaded = parse_config(text, {.file = "a.toml",
                                          .overrides = {},
                                          .environment = {},
                                          .working_directory = "/"});
  for (const auto& problem : loaded.problems)
    FAIL(problem.message);
  return loaded.value;
}

/// A log whose first event is this record.
memo_content log_of(const run_record& record) {
  memo_content out;
  out.decisions[std::string{run_record::type_name} + "/run"] =
      wire::encode(record);
  return out;
}

std::string fingerprint(const config& options) {
  const auto source = load_benchmark(options.environment);
  if (!source) FAIL(source.error().message);
  const auto made =
      make_job_runner(options, *source, std::make_shared<document_store>(),
                      std::make_shared<process_metrics>(), nullptr);
  if (!made) FAIL(made.error().message);
  return made->fingerprint;
}

/// Then and now the same, for a benchmark each.
const std::vector<std::pair<std::string, std::string>> pairs{
    {old_environment({{"kind", "\"toy\""}}), "[environment]\nkind = \"toy\"\n"},
    {old_environment({{"max_errors", "9"}, {"step_timeout_ms", "7"}}),
     "[environment.tau2]\nmax_errors = 9\n"},
    {old_environment({{"kind", "\"tau2-official\""}, {"python", "\"/p\""}}),
     "[environment]\nkind = \"tau2-official\"\n[environment.tau2_official]\n"
     "python = \"/p\"\n"},
    {old_environment({{"kind", "\"external\""},
                      {"command", "[\"lock\"]"},
                      {"start_timeout_ms", "7"}}),
     "[environment]\nkind = \"external\"\n[environment.external]\n"
     "command = [\"lock\"]\nstart_timeout_ms = 7\n"},
    {old_environment({{"kind", "\"spreadsheet\""}, {"turns", "4"}}),
     "[environment]\nkind = \"spreadsheet\"\n[environment.spreadsheet]\n"
     "turns = 4\n"},
};

} // namespace

TEST_CASE("a run of an older release goes on under its own record") {
  for (const auto& [then, now] : pairs) {
    INFO(now);
    const run_record before{"f", then};
    CHECK(started_with(log_of(before), {"f"}, read(then)) == before);
    CHECK(started_with(log_of(before), {"f"}, read(now)) == before);
    CHECK(play_text(read(then).environment)
          == play_text(read(now).environment));
  }
}

TEST_CASE("a run does not go on with another option of its benchmark") {
  const run_record before{"f", pairs.back().first};
  const auto other = read(pairs.back().second + "metric = \"hard\"\n");
  CHECK_FALSE(started_with(log_of(before), {"f"}, other) == before);
}

TEST_CASE("a run goes on under its record with other limits of replies") {
  const run_record before{"f", "[agent]\nmax_tokens = 40\n"};
  for (const auto* now :
       {"[agent]\nmax_tokens = 400\n[judge]\nmax_tokens = 9\n", ""})
    CHECK(started_with(log_of(before), {"f"}, read(now)) == before);
  const auto other = read("[agent]\nmax_calls = 7\n");
  CHECK_FALSE(started_with(log_of(before), {"f"}, other) == before);
}

TEST_CASE("rollouts of a run on record keep the keys that they began with") {
  const auto key_of = [](const fingerprints& prints, bool reflect) {
    const auto settings = settings_for({}, {}, "mcts", prints);
    if (!settings) FAIL(settings.error().message);
    return make_rollout_job(*settings, {"a"}, 0, {}, reflect);
  };
  const fingerprints now{"whole", "playing", "reflecting"};
  const auto fresh = as_recorded({}, now);
  CHECK(key_of(fresh, false).fingerprint == "playing");
  CHECK(key_of(fresh, true).fingerprint == "reflecting");
  const auto begun = started_with({}, fresh, {});
  const auto again = as_recorded(log_of(begun), {"whole", "new", "form"});
  CHECK(key_of(again, false).id == key_of(fresh, false).id);
  CHECK(key_of(again, true).id == key_of(fresh, true).id);
  // A log of a release in which all keys had the whole fingerprint.
  const auto old = as_recorded(log_of({"whole", ""}), now);
  for (const auto reflect : {false, true})
    CHECK(key_of(old, reflect).fingerprint == "whole");
  CHECK(started_with({}, old, {}) == run_record{"whole", to_toml({})});
}

TEST_CASE("documents of a run on record keep the keys that they began with") {
  const auto key_in = [](const fingerprints& prints) {
    const auto settings = settings_for({}, {}, "mcts", prints);
    if (!settings) FAIL(settings.error().message);
    return settings->integrator;
  };
  const fingerprints now{"whole", "playing", "reflecting", "integrating"};
  const auto fresh = as_recorded({}, now);
  CHECK(key_in(fresh) == "integrating");
  const auto begun = started_with({}, fresh, {});
  CHECK(key_in(as_recorded(log_of(begun), {"whole", "", "", "new"}))
        == "integrating");
  // A log of a release whose integrations had no key.
  CHECK(key_in(as_recorded(log_of({"whole", ""}), now)).empty());
}

TEST_CASE("a run goes on only with the expansions that it began with") {
  // A record of a release that had one expansion in an iteration.
  const run_record before{"f", "[search]\niterations = 4\n"};
  const auto goes_on = [&](const std::string& now) {
    return started_with(log_of(before), {"f"},
                        read("[search]\niterations = 4\n" + now))
           == before;
  };
  CHECK(goes_on("expansions = 1\n"));
  CHECK_FALSE(goes_on("expansions = 2\n"));
  CHECK_FALSE(goes_on("candidates = \"width\"\n"));
  const auto wide = read("[search]\ncandidates = \"width\"\n");
  CHECK(read(to_toml(wide)) == wide);
}

TEST_CASE("only a larger number of iterations extends a run") {
  const auto text = [](const std::string& search) {
    return "[search]\n" + search + "\n";
  };
  const run_record before{"f", text("iterations = 4")};
  const auto evaluated = [&] {
    auto known = log_of(before);
    known.decisions["evaluation_record/no KB"] = "x";
    known.decisions["gather_record/mcts/iteration 4"] = "y";
    return known;
  };
  for (const auto* other :
       {"iterations = 4", "iterations = 3", "iterations = 6\ncandidates = 9"}) {
    INFO(other);
    auto known = evaluated();
    const auto longer = extend(known, "f", read(text(other)));
    REQUIRE(longer);
    CHECK_FALSE(*longer);
    CHECK(known.decisions == evaluated().decisions);
  }
  auto known = evaluated();
  const auto longer = read(text("iterations = 6"));
  CHECK_FALSE(is_recorded_with(known, longer));
  const auto extended = extend(known, "f", longer);
  REQUIRE(extended);
  CHECK(*extended);
  CHECK(known.decisions.size() == 1); // what was gathered stays
  CHECK_FALSE(started_with(known, {"f"}, longer) == before);
}

TEST_CASE("a run is not extended with other data, models or rules") {
  const auto text = [](const std::string& iterations) {
    return "[search]\niterations = " + iterations + "\n";
  };
  const auto before = log_of({"toy aa agent/1 calls=9 m=x", text("4")});
  auto known = before;
  const auto refused =
      extend(known, "toy bb agent/2 calls=9 m=x", read(text("6")));
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == ec::invalid_argument);
  CHECK_THAT(refused.error().message,
             Catch::Contains("with \"aa agent/1\", and now it would be "
                             "\"bb agent/2\""));
  CHECK(known.decisions == before.decisions);
}

TEST_CASE("a fingerprint is checked only against one on record") {
  CHECK(check_fingerprint({}, "toy aa"));
  const auto known = log_of({"toy aa", ""});
  CHECK(check_fingerprint(known, "toy aa"));
  CHECK_THAT(check_fingerprint(known, "toy aa m=x").error().message,
             Catch::Contains("with \"\", and now it would be \"m=x\""));
}

TEST_CASE("a run that would go on with another model or prompt is told which") {
  const auto print = [](const std::string& prompts, const std::string& small) {
    return "toy aa llm-agent/2 agent=small t=- effort=- seed=true prompts="
           + prompts + " calls=8 judge=large t=0 effort=- seed=true "
           + "prompts=cc rubrics=dd small=" + small + " large=big";
  };
  const auto refusal = [&](const std::string& now) {
    auto known = log_of({print("bb", "gpt-4.1"), ""});
    const auto on = extend(known, now, {});
    REQUIRE_FALSE(on);
    CHECK(on.error().code == ec::invalid_argument);
    return on.error().message;
  };
  CHECK_THAT(refusal(print("bb", "x")),
             Catch::Contains("rules: [model.small] is now 'x', was 'gpt-4.1'; "
                             "restore"));
  CHECK_THAT(refusal(print("ee", "x")),
             Catch::Contains("rules: the prompt files of the agent differ, "
                             "[model.small] is now 'x'"));
}

TEST_CASE("what is not usual is part of every rollout's key, as it ever was") {
  CHECK(play_text({}).empty());
  CHECK(play_text(read(old_environment({{"mode", "\"solo\""},
                                        {"max_steps", "50"},
                                        {"max_errors", "9"},
                                        {"enforce_protocol", "true"},
                                        {"talk_timeout_s", "60"},
                                        {"turns", "4"},
                                        {"metric", "\"hard\""},
                                        {"position_parser", "\"repaired\""},
                                        {"cell_timeout_ms", "1000"},
                                        {"output_bytes", "512"},
                                        {"kernel_memory_mb", "512"},
                                        {"recalculation_timeout_ms", "4000"},
                                        {"start_timeout_ms", "7"},
                                        {"python", "\"/p\""}}))
                      .environment)
        == " mode=solo max_steps=50 max_errors=9 enforce_protocol=true "
           "talk_timeout_s=60 turns=4 metric=hard position_parser=repaired "
           "cell_timeout_ms=1000 output_bytes=512 kernel_memory_mb=512 "
           "recalculation_timeout_ms=4000");
}

TEST_CASE("the fingerprint of a run on record is the one that is made now") {
  // As logs of the release before have it, whose options were in one table;
  // but their agent and roles were the first.
  const std::string roles =
      "procedural-agent/2 calls=100 explore=truex4 top=3 each=true roles=2 "
      "bm25=1.2/0.75 embedder=256 bm25=1.2/0.75";
  CHECK(
      fingerprint(read(old_environment({{"kind", "\"toy\""}, {"turns", "9"}})))
      == "toy 20123a0bfc45c19eabeb584946656259 turns=9 " + roles);
  const auto telecom =
      '"' + std::string{BREWERY_SOURCE_DIR} + "/examples/telecom\"";
  const auto then = fingerprint(
      read(old_environment({{"data", telecom}, {"max_errors", "9"}})));
  CHECK(then
        == fingerprint(read("[environment]\ndata = " + telecom
                            + "\n[environment.tau2]\nmax_errors = 9\n")));
  CHECK(then.ends_with(" max_errors=9 " + roles));
}
