/// Orders that are refused leave everything as it was.

#include "tests/server/coordinator_case.hpp"

#include <csignal>
#include <fstream>
#include <regex>
#include <sys/resource.h>

using namespace brewery;
using namespace brewery::test;
using Catch::Contains;

namespace {

/// Run "a" of a group runs, and "b" waits for its end.
void submit_one_at_a_time(coordinator_case& c) {
  for (const auto* id : {"a", "b"})
    c.done(
        "submit",
        {{"config", toy}, {"id", id}, {"group", "g"}, {"group_at_once", "1"}});
}

} // namespace

TEST_CASE("a submission that finds the disk full leaves its id free") {
  coordinator_case c;
  rlimit before{};
  REQUIRE(::getrlimit(RLIMIT_FSIZE, &before) == 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  // A limit on files is the full disk that needs no privilege. The first does
  // not hold the configuration, the second not the log.
  for (const rlim_t bytes : {100, 16'000}) {
    rlimit low = before;
    low.rlim_cur = bytes;
    ::setrlimit(RLIMIT_FSIZE, &low);
    const auto reply = c.order("submit", {{"config", toy}, {"id", "night"}});
    ::setrlimit(RLIMIT_FSIZE, &before);
    CHECK_THAT(reply.error, Contains("night"));
    CHECK_FALSE(fs::exists(c.options.runs_dir / "night"));
  }
  std::signal(SIGXFSZ, handler);
  c.submit("night");
}

TEST_CASE("a submission that is refused leaves nothing behind") {
  coordinator_case c;
  const std::vector<std::pair<words, std::string>> refused{
      {{{"config", "[run"}}, "submitted configuration"},
      {{{"config", "[run]\nsede = 1\n"}}, "did you mean"},
      {{{"config", toy}, {"weight", "much"}}, "expected a number"},
      {{{"config", toy}, {"weight", "0"}}, "expected a number"},
      {{{"config", toy}, {"weight", "inf"}}, "expected a number"},
      {{{"config", toy}, {"priority", "99999999999"}}, "expected a number"},
      {{{"config", toy}, {"id", "../out"}}, "../out"},
      {{{"config", "[environment]\nkind = \"tau2-telecom\"\n"
                   "data = \"/nowhere\"\n"}},
       "no directory /nowhere"},
      {{{"config", "[environment]\nkind = \"tau2-telecom\"\n"}},
       "this coordinator has no data of tau2-telecom, and the configuration "
       "names none: start it with --env tau2-telecom=DIRECTORY"},
      // A path that the library throws at.
      {{{"config", "[environment]\nkind = \"tau2-telecom\"\ndata = \"/"
                       + std::string(300, 'x') + "\"\n"}},
       "File name too long; start it with --env"},
      {{{"config", "[environment]\nkind = \"external\"\n"
                   "[environment.external]\ncommand = [\"lock\"]\n"}},
       "starts no programs"},
      {{{"config", toy + "[agent]\nkind = \"llm\"\nmodel = \"m\"\n"}},
       "start it with --models FILE"},
      {{{"config", toy
                       + "[embedder]\nkind = \"sentence\"\n"
                         "model_file = \"/etc/hostname\"\n"
                         "python = \"/usr/bin/touch\"\n"}},
       "this coordinator has no sentence model"},
      {{{"config", "[environment]\nkind = \"toy\"\n"
                   "train_split = \"trian\"\n"}},
       "did you mean 'train'"},
  };
  for (const auto& [what, why] : refused) {
    INFO(what.at("config"));
    CHECK_THAT(c.refused("submit", what), Contains(why));
    CHECK(c.directories() == 0);
  }
}

TEST_CASE("a submission makes no new directory of runs for one that is gone") {
  coordinator_case c;
  const auto away = c.folder.path() / "away";
  fs::rename(c.options.runs_dir, away);
  CHECK_THAT(c.refused("submit", {{"config", toy}, {"id", "night"}}),
             Contains("is not where it was: it was moved or removed"));
  CHECK_FALSE(fs::exists(c.options.runs_dir));
  fs::rename(away, c.options.runs_dir);
  c.submit("night");
}

TEST_CASE("an order without the working directory fails alone") {
  coordinator_case c;
  const auto before = fs::current_path();
  const scratch gone;
  fs::create_directories(gone.path() / "cwd");
  fs::current_path(gone.path() / "cwd");
  fs::remove(gone.path() / "cwd");
  const auto reply = c.order("submit", {{"config", toy}, {"id", "night"}});
  fs::current_path(before);
  CHECK_THAT(reply.error, Contains("the working directory does not exist"));
  CHECK(c.directories() == 0);
  c.submit("night");
}

TEST_CASE("a submission that is refused is of no group either") {
  coordinator_case c;
  const words night{{"config", toy}, {"id", "night"}, {"group", "g"}};
  rlimit before{};
  REQUIRE(::getrlimit(RLIMIT_FSIZE, &before) == 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit low = before;
  low.rlim_cur = 16'000; // does not hold the log
  ::setrlimit(RLIMIT_FSIZE, &low);
  const auto reply = c.order("submit", night);
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  CHECK_FALSE(reply.error.empty());
  CHECK(c.done("status").at("groups").empty());
  c.done("submit", night);
  CHECK(c.done("status").at("groups").at(0).at("runs").at("running") == 1);
}

TEST_CASE("a queued run of a group can have another share") {
  coordinator_case c;
  submit_one_at_a_time(c);
  CHECK(c.done("set", {{"id", "b"}, {"weight", "3"}}).at("weight") == 3);
  CHECK_THAT(c.refused("set", {{"id", "b"}, {"weight", "much"}}),
             Contains("expected a number"));
  CHECK(stored(c.options.runs_dir / "b", "submission.json").at("weight") == 3);
}

TEST_CASE("a queued run is not resumed before its turn") {
  coordinator_case c;
  submit_one_at_a_time(c);
  CHECK_THAT(c.refused("resume", {{"id", "b"}}),
             Contains("run b is queued: it begins when a run of group g has "
                      "ended"));
  CHECK(c.states() == std::map<std::string, std::string>{{"a", "running"}});
}

TEST_CASE("a run goes on with options that results do not depend on") {
  coordinator_case c;
  const fs::path run = c.submit("night");
  c.done("cancel", {{"id", "night"}});
  const auto before = read_file(run / "config.toml");
  const auto refused = [&](const char* set) {
    auto why = c.refused("resume", {{"id", "night"}, {"set", set}});
    CHECK(*read_file(run / "config.toml") == *before);
    CHECK(c.states().at("night") == "cancelled");
    return why;
  };
  CHECK_THAT(refused(R"(["search.iterations=9"])"),
             Contains("--set search.iterations: results depend on it"));
  CHECK_THAT(refused(R"(["budget.max_hours=long"])"),
             Contains("budget.max_hours"));
  CHECK_THAT(refused("budget.max_hours=1"), Contains("list of texts as JSON"));
  CHECK_THAT(refused("[1]"), Contains("list of texts as JSON"));
  CHECK_THAT(refused(R"(["models.catalog=/etc/passwd"])"),
             Contains("only budget.* and max_tokens"));
  const auto done =
      c.done("resume", {{"id", "night"}, {"set", R"(["budget.max_hours=9"])"}});
  CHECK(done.at("changed")
        == nlohmann::json::parse(
            R"([{"option": "budget.max_hours", "from": "0.0", "to": "9.0"}])"));
  CHECK(c.states().at("night") == "running");
  CHECK_THAT(*read_file(run / "config.toml"), Contains("max_hours = 9.0"));
}

TEST_CASE("the options of a sweep's run are those of its sweep") {
  coordinator_case c;
  c.done("submit", {{"config", toy}, {"id", "a"}, {"group", "g"}});
  c.done("cancel", {{"id", "a"}});
  CHECK_THAT(
      c.refused("resume", {{"id", "a"}, {"set", R"(["budget.max_hours=9"])"}}),
      Contains("run a is of group g"));
}

TEST_CASE("a run that cannot go on with other options keeps its own") {
  coordinator_case c;
  const fs::path run = c.submit("night");
  c.done("cancel", {{"id", "night"}});
  const auto before = read_file(run / "config.toml");
  fs::rename(run / "submission.json", run / "away");
  fs::create_directory(run / "submission.json");
  c.refused("resume", {{"id", "night"}, {"set", R"(["budget.max_hours=9"])"}});
  CHECK(*read_file(run / "config.toml") == *before);
}

TEST_CASE("a cancelled run that cannot be resumed stays cancelled") {
  coordinator_case c;
  const fs::path run = c.submit("night");
  c.done("cancel", {{"id", "night"}});
  fs::rename(run / "config.toml", run / "away");
  CHECK_THAT(c.refused("resume", {{"id", "night"}}), Contains("config.toml"));
  CHECK(c.states().at("night") == "cancelled");
  fs::rename(run / "away", run / "config.toml");
  c.start();
  CHECK(c.service->resumed() == 0);
  CHECK(c.done("resume", {{"id", "night"}}).at("state") == "running");
}

TEST_CASE("a key that is there by now is found without a restart") {
  coordinator_case c;
  const auto key = c.folder.path() / "key";
  c.options.models = c.folder.path() / "models.toml";
  std::ofstream{c.options.models}
      << "[server.here]\nbase_url = \"http://127.0.0.1:1/v1\"\n"
         "[server.there]\nbase_url = \"http://127.0.0.1:1/v1\"\n"
         "key_file = \"key\"\n"
         "[model.m]\nserver = \"there\"\n";
  c.start();
  const words night{
      {"config", toy + "[agent]\nkind = \"llm\"\nmodel = \"m\"\n"},
      {"id", "night"}};
  CHECK_THAT(c.refused("submit", night), Contains("key"));
  std::ofstream{key} << "secret\n";
  fs::permissions(key, fs::perms::owner_read);
  c.done("submit", night);
}

TEST_CASE("an extension that is refused leaves the finished run as it is") {
  coordinator_case c;
  const words night{{"config", toy}, {"id", "night"}, {"group", "g"}};
  c.done("submit", night);
  REQUIRE(c.work_until_over("night") == "finished");
  const auto run = c.options.runs_dir / "night";
  const auto options = read_file(run / "config.toml");
  const auto acknowledged = read_file(run / "events.ack");
  REQUIRE(acknowledged);
  std::ofstream{run / "events.ack"} << "garbage";
  auto more = night;
  more["config"] =
      std::regex_replace(toy, std::regex{"iterations = 1"}, "iterations = 2");
  c.refused("submit", more);
  CHECK(fs::is_regular_file(run / "report.md"));
  CHECK(*read_file(run / "config.toml") == *options);
  std::ofstream{run / "events.ack", std::ios::binary} << *acknowledged;
  c.done("submit", more);
  CHECK(c.work_until_over("night") == "finished");
}
