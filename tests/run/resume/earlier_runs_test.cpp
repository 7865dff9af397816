/// Which rollouts of a run on record may stand in another.

#include "config/load.hpp"
#include "config/print.hpp"
#include "messages/search_msgs.hpp"
#include "messages/side_records.hpp"
#include "run/resume/earlier_runs.hpp"
#include "store/event_log.hpp"
#include "store/run_directory.hpp"
#include "tests/fixtures/scratch.hpp"

#include <catch2/catch.hpp>

using namespace brewery;

namespace {

config reusing_config() {
  return parse_config("[environment]\nkind = \"toy\"\n[search]\nstrategies = "
                      "[\"mcts\"]\n[economy]\nreuse = \"run\"\n",
                      {.file = "a.toml",
                       .overrides = {},
                       .environment = {},
                       .working_directory = "/"})
      .value;
}

/// A run with one rollout, which was played for this.
run_directory run_with(const std::filesystem::path& root, const config& options,
                       job_purpose what) {
  auto out = run_directory::create(root, "first");
  REQUIRE(out);
  rollout_result made;
  made.id = {"a"};
  made.task = {"t"};
  made.retrievals = {{0, "how", {}}};
  made.before_draw = never_drew;
  what.jobs = {made.id};
  const auto log = event_log::create(out->path());
  REQUIRE(log);
  REQUIRE((*log)->append(
      {event_of(run_record{"f", to_toml(options), "playing"}, "run"),
       event_of(purpose_record{{what}}, "purpose"),
       event_of(make_result(made), "a")}));
  return *out;
}

std::size_t known_of(job_purpose what) {
  const scratch root;
  const auto options = reusing_config();
  const auto first = run_with(root.path(), options, std::move(what));
  const reusing_run second{root.path() / "second", options, "playing"};
  const auto reuse =
      make_reuse(second, {}, false, std::make_shared<document_store>());
  REQUIRE(reuse);
  REQUIRE(*reuse);
  const auto count = know_rollouts_of(first.path(), second, **reuse);
  REQUIRE(count);
  return *count;
}

std::size_t known_of_arm(const std::string& name) {
  job_purpose what;
  what.what = purpose::arm;
  what.name = name;
  return known_of(std::move(what));
}

} // namespace

TEST_CASE("what measured the documents of a search may stand in another run") {
  CHECK(known_of_arm("learned, mcts") == 1);
  // These may have read more than they were shown, or read nothing.
  for (const auto* other : {"no KB", "in-context", "learned, muse", "mcts"})
    CHECK(known_of_arm(other) == 0);
}

TEST_CASE("what scored a version may stand in another run, training may not") {
  const auto known = [](std::string_view purpose) {
    job_purpose what;
    what.what = purpose;
    what.name = "mcts";
    return known_of(std::move(what));
  };
  CHECK(known(purpose::score) == 1);
  CHECK(known(purpose::confirm) == 1);
  CHECK(known(purpose::learn) == 0);
  CHECK(known(purpose::first) == 0);
}
