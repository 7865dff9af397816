/// What a coordinator does with its runs, orders by order and over restarts.

#include "store/log_salvage.hpp"
#include "tests/server/coordinator_case.hpp"

#include <fstream>
#include <pthread.h>
#include <set>
#include <sys/stat.h>
#include <thread>

using namespace brewery;
using namespace brewery::test;
using Catch::Contains;

TEST_CASE("an order that a coordinator does not know is refused by its name") {
  coordinator_case c;
  CHECK_THAT(c.refused("brew"), Contains("does not know the order \"brew\""));
}

TEST_CASE("an order that its asker repeats is carried out once") {
  coordinator_case c;
  // A configuration that is a pipe makes an order as slow as the test wants.
  const fs::path run = c.submit("night");
  c.done("cancel", {{"id", "night"}});
  fs::remove(run / "config.toml");
  REQUIRE(::mkfifo((run / "config.toml").c_str(), 0600) == 0);
  const auto wire = connect(c.service->endpoint(), "asker");
  for (int i = 0; i < 20; ++i)
    for (const std::uint64_t number : {1, 2})
      test::send(*wire,
                 wire::frame(operator_request{number,
                                              number == 1 ? "resume" : "status",
                                              {{"id", "night"}}}));
  // Frames of a peer are taken in order: with the answer to the last one, all
  // orders are in the queue.
  test::send(*wire, wire::frame(worker_heartbeat{}));
  const auto last = wire::unframe(receive(*wire));
  REQUIRE(last);
  CHECK(std::holds_alternative<peer_refusal>(*last));
  std::ofstream pipe{run / "config.toml"};
  std::ofstream{run / "after"} << "[run";
  fs::rename(run / "after", run / "config.toml");
  pipe.close();
  test::send(*wire, wire::frame(operator_request{3, "status", {}}));
  std::vector<std::uint64_t> answered;
  while (answered.empty() || answered.back() != 3) {
    const auto reply = wire::unframe(receive(*wire));
    REQUIRE(reply);
    REQUIRE(std::holds_alternative<operator_reply>(*reply));
    answered.push_back(std::get<operator_reply>(*reply).number);
  }
  CHECK(answered == std::vector<std::uint64_t>{1, 2, 3});
}

TEST_CASE("a slow benchmark of a submitted run delays no other order") {
  coordinator_case c;
  const auto gate = c.folder.path() / "gate";
  REQUIRE(::mkfifo(gate.c_str(), 0600) == 0);
  const auto offers = parse_offers({"external=cat " + gate.string()});
  REQUIRE(offers);
  c.options.environments = *offers;
  c.start();
  const auto wire = connect(c.service->endpoint(), "asker");
  const auto send = [&](std::uint64_t number, std::string verb, words what) {
    test::send(*wire, wire::frame(operator_request{number, std::move(verb),
                                                   std::move(what)}));
  };
  const auto next = [&] {
    const auto reply = wire::unframe(receive(*wire));
    REQUIRE(reply);
    REQUIRE(std::holds_alternative<operator_reply>(*reply));
    return std::get<operator_reply>(*reply);
  };
  const std::string config = "[environment]\nkind = \"external\"\n"
                             "command = \"lamp\"\n";
  send(1, "submit", {{"config", config}, {"id", "slow"}});
  send(2, "submit", {{"config", toy}, {"id", "quick"}});
  send(3, "status", {});
  CHECK(next().number == 3);
  // The program ends without a word, also where it is started once more.
  std::ofstream pipe{gate};
  fs::remove(gate);
  std::ofstream{gate};
  pipe.close();
  const auto slow = next();
  CHECK(slow.number == 1);
  CHECK_THAT(slow.error, Contains("cat"));
  const auto quick = next();
  CHECK(quick.number == 2);
  CHECK(quick.error == "");
  CHECK(c.states().size() == 1);
}

TEST_CASE("a directory of runs has one coordinator at a time") {
  coordinator_case c;
  auto second = c.options;
  second.listen.listen = "ipc://" + (c.folder.path() / "d").string();
  const auto refused = coordinator_service::start(second);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == ec::in_use);
  c.service.reset();
  CHECK(coordinator_service::start(second));
}

TEST_CASE("every start of a coordinator has an epoch of its own") {
  coordinator_case c;
  CHECK(c.done("status").at("epoch") == 1);
  c.start();
  CHECK(c.done("status").at("epoch") == 2);
  c.service.reset();
  std::ofstream{c.options.runs_dir / ".coordinator" / "epoch"} << "many\n";
  const auto refused = coordinator_service::start(c.options);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == ec::corrupt);
  CHECK_THAT(refused.error().message, Contains("holds 'many'"));
}

TEST_CASE("a refused order says the code of its error") {
  coordinator_case c;
  const auto code = [&](const std::string& verb, words what) {
    return static_cast<ec>(c.order(verb, std::move(what)).code);
  };
  CHECK(code("status", {}) == ec::ok);
  CHECK(code("cancel", {{"id", "nobody"}}) == ec::not_found);
  CHECK(code("read", {{"id", "../r"}}) == ec::invalid_argument);
  c.submit("night");
  CHECK(code("submit", {{"config", toy}, {"id", "night"}}) == ec::in_use);
}

TEST_CASE("a run is submitted once under its id") {
  coordinator_case c;
  const fs::path directory = c.submit("night");
  CHECK(fs::is_regular_file(directory / "config.toml"));
  CHECK(c.states() == std::map<std::string, std::string>{{"night", "running"}});
  CHECK_THAT(c.refused("submit", {{"config", toy}, {"id", "night"}}),
             Contains("night"));
  CHECK(c.directories() == 1);
}

TEST_CASE("a submission that its asker repeats is one run, over restarts too") {
  coordinator_case c;
  const words night{{"config", toy}, {"id", "night"}, {"order", "a"}};
  c.done("submit", night);
  for (const bool restart : {false, true}) {
    if (restart) c.start();
    const auto again = c.done("submit", night);
    CHECK(again.at("id") == "night");
    CHECK(again.at("directory") == (c.options.runs_dir / "night").string());
    CHECK(again.at("known") == true);
    auto other = night;
    other["order"] = "b";
    CHECK_THAT(c.refused("submit", other), Contains("night"));
  }
  CHECK(c.directories() == 1);
}

TEST_CASE("submissions of one second get names of their own") {
  coordinator_case c;
  words wide{
      {"config", toy}, {"id", "20240611-153012-wide"}, {"id_is_default", "1"}};
  std::set<std::string> ids;
  for (const auto* order : {"a", "b", "a", "b"}) {
    wide["order"] = order;
    ids.insert(c.done("submit", wide).at("id").get<std::string>());
  }
  CHECK(ids.size() == 2);
  CHECK(ids.contains("20240611-153012-wide"));
  CHECK(c.directories() == 2);
}

TEST_CASE("orders about a run that is not there name the nearest one") {
  coordinator_case c;
  c.submit("night");
  for (const auto* verb : {"cancel", "retry"})
    CHECK_THAT(c.refused(verb, {{"id", "nihgt"}}),
               Contains("no run \"nihgt\"; did you mean \"night\"?"));
  CHECK_THAT(c.refused("resume", {{"id", "nihgt"}}), Contains("night"));
  CHECK_THAT(c.refused("drain", {{"worker", "w"}}),
             Contains("no worker \"w\" is connected"));
  CHECK_THAT(c.refused("resume", {{"id", "night"}}), Contains("is running"));
}

TEST_CASE("a cancelled run stays so over restarts until it is resumed") {
  coordinator_case c;
  c.submit("night");
  CHECK(c.done("cancel", {{"id", "night"}}).at("state") == "cancelled");
  CHECK(c.states().at("night") == "cancelled");
  CHECK_THAT(c.refused("cancel", {{"id", "night"}}),
             Contains("run night is already cancelled"));
  c.start();
  CHECK(c.service->resumed() == 0);
  CHECK(c.states().empty());
  CHECK(c.done("resume", {{"id", "night"}}).at("state") == "running");
  CHECK(c.states().at("night") == "running");
  c.start();
  CHECK(c.service->resumed() == 1);
}

namespace {

/// Mappings of the size of a thread's stack: those of threads that run, that
/// nobody joined, and a few that the C library keeps for the next thread.
std::size_t stacks() {
  pthread_attr_t defaults;
  REQUIRE(pthread_attr_init(&defaults) == 0);
  std::size_t bytes = 0;
  std::size_t guard_bytes = 0;
  pthread_attr_getstacksize(&defaults, &bytes);
  pthread_attr_getguardsize(&defaults, &guard_bytes);
  pthread_attr_destroy(&defaults);
  std::ifstream maps{"/proc/self/maps"};
  std::size_t found = 0;
  std::string line;
  while (std::getline(maps, line)) {
    const auto dash = line.find('-');
    const auto size = std::stoull(line.substr(dash + 1), nullptr, 16)
                      - std::stoull(line, nullptr, 16);
    found += size == bytes || size + guard_bytes == bytes ? 1 : 0;
  }
  return found;
}

} // namespace

TEST_CASE("what a group's limit kept from its turn has none after a restart") {
  coordinator_case c;
  const auto submit = [&](const std::string& id) {
    c.done("submit", {{"config", toy},
                      {"id", id},
                      {"group", "g"},
                      {"group_at_once", "1"},
                      {"group_max_hours", "1e-6"}});
  };
  submit("a");
  submit("b");
  REQUIRE(c.wait_for("a") == "interrupted");
  const auto group = [&] {
    return c.done("group", {{"name", "g"}}).at("runs");
  };
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds{60};
  while (group().at(1).at("state") == "queued"
         && std::chrono::steady_clock::now() < end)
    std::this_thread::yield();
  c.start();
  CHECK(c.service->resumed() == 0);
  for (const auto& run : group()) {
    CHECK(run.at("state") == "interrupted");
    CHECK_THAT(run.at("error").get<std::string>(), Contains("max_hours"));
  }
}

TEST_CASE("an ended run gives its thread's stack back") {
  constexpr std::size_t runs = 24;
  coordinator_case c;
  c.submit("night");
  c.done("cancel", {{"id", "night"}});
  const auto few = stacks();
  REQUIRE(few > 0);
  for (std::size_t i = 0; i < runs; ++i) {
    const auto id = "n" + std::to_string(i);
    c.submit(id);
    c.done("cancel", {{"id", id}});
  }
  CHECK(stacks() < few + runs / 2);
}

TEST_CASE("a coordinator that starts again goes on with what is unfinished") {
  coordinator_case c;
  c.submit("a");
  c.submit("b");
  c.start();
  CHECK(c.service->resumed() == 2);
  CHECK(c.states()
        == std::map<std::string, std::string>{{"a", "running"},
                                              {"b", "running"}});
}

TEST_CASE(
    "what its own limit stopped stays so over restarts, also in a group") {
  for (const std::string group : {"", "g"}) {
    coordinator_case c;
    words what{{"config", toy + "[budget]\nmax_hours = 1e-6\n"}, {"id", "a"}};
    if (!group.empty()) what["group"] = group;
    c.done("submit", what);
    REQUIRE(c.wait_for("a") == "interrupted");
    c.start();
    INFO("group: " << group);
    CHECK(c.service->resumed() == 0);
    CHECK(c.states().empty());
    if (group.empty()) continue;
    const auto run = c.done("group", {{"name", group}}).at("runs").at(0);
    CHECK(run.at("state") == "interrupted");
    CHECK_THAT(run.at("error").get<std::string>(), Contains("max_hours"));
    // The command that submitted it lets it go on.
    CHECK(c.done("submit", what).at("known") == true);
    CHECK(c.wait_for("a") == "interrupted");
  }
}

TEST_CASE("a run that cannot go on does not keep a coordinator from starting") {
  coordinator_case c;
  const fs::path damaged = c.submit("a");
  const fs::path other = c.submit("b");
  c.submit("c");
  c.service.reset();
  std::ofstream{damaged / "submission.json"} << "{\"weight\": null}";
  std::ofstream{other / "config.toml"} << "[run]\nsede = 1\n";
  c.start();
  CHECK(c.service->resumed() == 1);
  CHECK(c.states()
        == std::map<std::string, std::string>{
            {"a", "unreadable"}, {"b", "unreadable"}, {"c", "running"}});
  // Who does not mend it can be rid of it.
  CHECK(c.done("cancel", {{"id", "b"}}).at("state") == "cancelled");
  CHECK(c.states()
        == std::map<std::string, std::string>{{"a", "unreadable"},
                                              {"c", "running"}});
  CHECK_THAT(c.refused("cancel", {{"id", "a"}}), Contains("submission.json"));
}

TEST_CASE("a run that cannot be read shows what it had come to, and why") {
  coordinator_case c;
  const fs::path run =
      c.done("submit", {{"config", toy}, {"id", "a"}, {"group", "g"}})
          .at("directory")
          .get<std::string>();
  c.service.reset();
  std::ofstream{run / "config.toml"} << "[run]\nsede = 1\n";
  {
    const auto file =
        run_status_file::begin_session(run, std::chrono::system_clock::now());
    REQUIRE(file);
    REQUIRE((*file)->end_session(std::chrono::system_clock::now(),
                                 [](run_status& now) {
                                   now.rollouts = 42;
                                   now.cost_usd = 1.5;
                                 }));
  }
  c.start();
  const auto shown = c.done("status").at("runs").at(0);
  CHECK(shown.at("state") == "unreadable");
  CHECK(shown.at("rollouts") == 42);
  CHECK(shown.at("cost_usd") == 1.5);
  CHECK(c.done("group", {{"name", "g"}}).at("runs").at(0).at("rollouts") == 42);
  for (const auto* verb : {"retry", "set", "quarantine"})
    CHECK_THAT(c.refused(verb, {{"id", "a"}}),
               Contains("run a cannot be read: ") && Contains("did you mean")
                   && Contains("brewery submit --resume a"));
}

TEST_CASE("a run whose log is half exchanged is not begun again") {
  coordinator_case c;
  const fs::path run = c.submit("a");
  c.service.reset();
  const auto keep_all = [](const event_row&) { return true; };
  const auto killed = salvage_log(
      run, keep_all, {{}, [&](const fs::path& file) -> result<void> {
                        if (file.parent_path() == run) return {};
                        return error{ec::io, "killed"};
                      }});
  REQUIRE_FALSE(killed);
  c.start();
  CHECK(c.states().at("a") == "unreadable");
  CHECK_THAT(c.refused("resume", {{"id", "a"}}),
             Contains("finish with `brewery log salvage`"));
  CHECK_FALSE(fs::exists(run / "events.db"));
  REQUIRE(salvage_log(run, keep_all));
  CHECK(c.done("resume", {{"id", "a"}}).at("state") == "running");
}

TEST_CASE("retrying a run that has given up nothing leaves it running") {
  coordinator_case c;
  c.submit("night");
  CHECK_THAT(c.refused("retry", {{"id", "night"}}),
             Contains("has no failed job"));
  CHECK(c.states().at("night") == "running");
  CHECK(c.done("quarantine").empty());
}

TEST_CASE("a run ends with its report once a worker has joined") {
  coordinator_case c;
  const fs::path directory = c.submit("night");
  CHECK(c.done("workers").empty());
  REQUIRE(c.work_until_over("night") == "finished");
  CHECK(fs::is_regular_file(directory / "report.md"));
  CHECK(fs::is_regular_file(directory / "kb" / "manifest.json"));
  c.start();
  CHECK(c.service->resumed() == 0);
}

TEST_CASE("an ended run without a failed job is not touched by a retry") {
  coordinator_case c;
  const fs::path directory = c.submit("night");
  REQUIRE(c.work_until_over("night") == "finished");
  const auto before = read_file(directory / "status.json");
  REQUIRE(before);
  for (const auto& what :
       {words{{"id", "night"}}, words{{"id", "night"}, {"job", "none"}}}) {
    CHECK_THAT(c.refused("retry", what), Contains("has no failed job"));
    CHECK(c.states().at("night") == "finished");
  }
  // A session that began would have changed it.
  const auto after = read_file(directory / "status.json");
  REQUIRE(after);
  CHECK(*after == *before);
}

TEST_CASE("the answer to a cancel is what the run came to") {
  coordinator_case c;
  const fs::path directory = c.submit("night");
  REQUIRE(c.work_until_over("night") == "finished");
  // All its work is in the log, so it can finish although it is cancelled.
  for (int round = 0; round < 5; ++round) {
    CHECK(c.done("resume", {{"id", "night"}}).at("state") == "running");
    const auto answer = c.order("cancel", {{"id", "night"}});
    const bool cancelled = answer.error.empty();
    if (!cancelled) CHECK(answer.error == "run night is already finished");
    CHECK(c.states().at("night") == (cancelled ? "cancelled" : "finished"));
    CHECK(stored(directory, "status.json").at("state")
          == (cancelled ? "interrupted" : "finished"));
    CHECK(stored(directory, "submission.json").at("cancelled") == cancelled);
  }
}

TEST_CASE("only an order to cancel a run makes its stored state cancelled") {
  coordinator_case c;
  const fs::path ended = c.submit("ended");
  const fs::path cancelled = c.submit("cancelled");
  c.done("cancel", {{"id", "cancelled"}});
  c.service.reset();
  const auto of_cancelled = read_run_status(cancelled);
  const auto of_ended = read_run_status(ended);
  REQUIRE(of_cancelled);
  REQUIRE(of_ended);
  CHECK(of_cancelled->state == run_state::cancelled);
  CHECK(of_ended->state == run_state::interrupted);
}
