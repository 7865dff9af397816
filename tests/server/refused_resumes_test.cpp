/// Runs that cannot go on when they are ordered to, and what becomes of them.

#include "tests/server/coordinator_case.hpp"

#include <fstream>

using namespace brewery;
using namespace brewery::test;
using Catch::Contains;

TEST_CASE("a run whose submission is damaged keeps it when it is resumed") {
  coordinator_case c;
  c.done("submit",
         {{"config", toy}, {"id", "a"}, {"group", "g"}, {"weight", "2"}});
  c.done("cancel", {{"id", "a"}});
  const auto file = c.options.runs_dir / "a" / "submission.json";
  const std::string damaged = R"({"weight": "2", "group": "g"})";
  std::ofstream{file} << damaged;
  CHECK_THAT(c.refused("resume", {{"id", "a"}}),
             Contains("submission.json") && Contains("wrong type")
                 && Contains("mend it, or remove it"));
  CHECK(*read_file(file) == damaged);
  CHECK(c.states().at("a") == "cancelled");
}

TEST_CASE("a run of no coordinator that cannot be taken over stays so") {
  coordinator_case c;
  const fs::path run = c.submit("night");
  c.service.reset();
  fs::remove(run / "submission.json");
  fs::rename(run / "config.toml", run / "away");
  c.start();
  CHECK_THAT(c.refused("resume", {{"id", "night"}}), Contains("config.toml"));
  CHECK_FALSE(fs::exists(run / "submission.json"));
  fs::rename(run / "away", run / "config.toml");
  c.start();
  CHECK(c.service->resumed() == 0);
  CHECK(c.done("resume", {{"id", "night"}}).at("state") == "running");
}

TEST_CASE("a group's run that is refused does not wait for its turn either") {
  coordinator_case c;
  const auto catalog = c.folder.path() / "models.toml";
  std::ofstream{catalog} << "[server.s]\nbase_url = \"http://127.0.0.1:1/v1\"\n"
                            "[model.m]\nserver = \"s\"\n";
  c.options.models = catalog;
  c.start();
  const words night{
      {"config", toy + "[agent]\nkind = \"llm\"\nmodel = \"m\"\n"},
      {"id", "night"},
      {"group", "g"}};
  c.done("submit", night);
  c.done("cancel", {{"id", "night"}});
  c.options.models.clear();
  c.start();
  CHECK_THAT(c.refused("submit", night), Contains("start it with --models"));
  const auto group = c.done("status").at("groups").at(0);
  CHECK(group.at("runs") == nlohmann::json{{"unreadable", 1}});
  const auto shown = c.done("group", {{"name", "g"}}).at("runs").at(0);
  CHECK(shown.at("state") == "unreadable");
  CHECK_THAT(shown.at("error").get<std::string>(), Contains("--models"));
  c.options.models = catalog;
  c.start();
  CHECK(c.service->resumed() == 1);
  CHECK(c.states().at("night") == "running");
}
