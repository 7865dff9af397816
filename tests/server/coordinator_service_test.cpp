/// A coordinator inside the test, at a local path: orders by an operator, and a
/// worker of the test's own where a run is to end.

#include "base/file.hpp"
#include "messages/wire/frame.hpp"
#include "run/setup/worker_benchmarks.hpp"
#include "server/coordinator_service.hpp"
#include "store/log_salvage.hpp"
#include "tests/net/cluster_port.hpp"
#include "workers/worker_process.hpp"

#include <nlohmann/json.hpp>

#include <csignal>
#include <fstream>
#include <future>
#include <regex>
#include <sys/resource.h>
#include <sys/stat.h>

using namespace brewery;
using namespace brewery::test;
using Catch::Contains;
namespace fs = std::filesystem;

namespace {

using words = std::map<std::string, std::string>;

/// Over within a second of work, but nobody works unless a test says so.
const std::string toy = R"([run]
seed = 7
log_level = "off"
[environment]
kind = "toy"
eval_split = "eval"
max_train_tasks = 8
max_eval_tasks = 6
max_test_tasks = 4
[search]
iterations = 1
initial_trials = 6
strategies = ["mcts"]
)";

nlohmann::json stored(const fs::path& directory, const std::string& name) {
  const auto text = read_file(directory / name);
  REQUIRE(text);
  return nlohmann::json::parse(*text);
}

struct coordinator_case {
  scratch folder;
  service_options options;
  std::unique_ptr<coordinator_service> service;
  std::uint64_t asked = 0;

  coordinator_case() {
    options.runs_dir = folder.path() / "runs";
    options.listen.listen = "ipc://" + (folder.path() / "c").string();
    start();
  }
  void start() {
    service.reset();
    auto started = coordinator_service::start(options);
    if (!started) FAIL(started.error().message);
    service = std::move(*started);
  }
  operator_reply order(const std::string& verb, words what = {}) {
    const auto number = ++asked;
    const auto wire =
        connect(service->endpoint(), "operator-" + std::to_string(number));
    test::send(*wire,
               wire::frame(operator_request{number, verb, std::move(what)}));
    const auto reply = wire::unframe(receive(*wire));
    REQUIRE(reply);
    REQUIRE(std::holds_alternative<operator_reply>(*reply));
    CHECK(std::get<operator_reply>(*reply).number == number);
    return std::get<operator_reply>(*reply);
  }
  nlohmann::json done(const std::string& verb, words what = {}) {
    const auto reply = order(verb, std::move(what));
    INFO(verb);
    REQUIRE(reply.error == "");
    return nlohmann::json::parse(reply.body);
  }
  std::string refused(const std::string& verb, words what = {}) {
    const auto reply = order(verb, std::move(what));
    INFO(verb << ": " << reply.body);
    REQUIRE_FALSE(reply.error.empty());
    CHECK(reply.error.find('\n') == std::string::npos);
    return reply.error;
  }
  std::string submit(const std::string& id) {
    return done("submit", {{"config", toy}, {"id", id}})
        .at("directory")
        .get<std::string>();
  }
  /// By id, of the runs in hand.
  std::map<std::string, std::string> states() {
    std::map<std::string, std::string> out;
    const auto status = done("status");
    for (const auto& run : status.at("runs"))
      out[run.at("id").get<std::string>()] = run.at("state").get<std::string>();
    return out;
  }
  /// Until the run does not run any more.
  std::string wait_for(const std::string& id) {
    std::string state = "running";
    const auto end =
        std::chrono::steady_clock::now() + std::chrono::seconds{120};
    while (state == "running" && std::chrono::steady_clock::now() < end)
      state = states().at(id);
    return state;
  }
  /// A worker joins, and leaves when the run is over.
  std::string work_until_over(const std::string& id) {
    const auto benchmarks =
        worker_benchmarks::load({"toy"}, spreadsheet::share::all);
    REQUIRE(benchmarks);
    worker_process_inputs in;
    in.profile.name = "w";
    in.profile.incarnation = "w-1";
    in.profile.roles = {job_kind::rollout, job_kind::integrate,
                        job_kind::embed};
    in.profile.benchmarks = {
        {"toy", (*benchmarks)->by_kind().at("toy")->fingerprint()}};
    in.connection = {service->endpoint(), "w-1", {}, {}};
    in.grace = std::chrono::milliseconds{0};
    in.make_runner = [&](const std::string& setup) {
      return (*benchmarks)->runner(setup);
    };
    worker_process worker{std::move(in)};
    auto left =
        std::async(std::launch::async, [&worker] { return worker.run(); });
    const auto state = wait_for(id);
    CHECK(done("workers").at(0).at("name") == "w");
    CHECK(done("drain", {{"worker", "w"}}).at("workers") == 1);
    worker.stop();
    CHECK(left.get());
    return state;
  }
  std::size_t directories() const {
    const auto found = run_directory::list(options.runs_dir);
    REQUIRE(found);
    return found->size();
  }
};

} // namespace

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

TEST_CASE("an order without the working directory fails alone") {
  coordinator_case c;
  const auto before = fs::current_path();
  const scratch gone;
  fs::create_directories(gone.path() / "cwd");
  fs::current_path(gone.path() / "cwd");
  fs::remove(gone.path() / "cwd");
  const auto reply = c.order("submit", {{"config", toy}, {"id", "night"}});
  fs::current_path(before);
  CHECK_THAT(reply.error, Contains("No such file or directory"));
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
  for (const auto* id : {"a", "b"})
    c.done(
        "submit",
        {{"config", toy}, {"id", id}, {"group", "g"}, {"group_at_once", "1"}});
  CHECK(c.done("set", {{"id", "b"}, {"weight", "3"}}).at("weight") == 3);
  CHECK_THAT(c.refused("set", {{"id", "b"}, {"weight", "much"}}),
             Contains("expected a number"));
  CHECK(stored(c.options.runs_dir / "b", "submission.json").at("weight") == 3);
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

TEST_CASE("an ended run gives its thread back") {
  coordinator_case c;
  c.submit("night");
  c.done("cancel", {{"id", "night"}});
  const auto threads = [] {
    std::ifstream status{"/proc/self/status"};
    std::string line;
    while (std::getline(status, line))
      if (line.starts_with("Threads:")) return std::stoi(line.substr(8));
    return 0;
  };
  const auto few = threads();
  for (int i = 0; i < 5; ++i) {
    const auto id = "n" + std::to_string(i);
    c.submit(id);
    c.done("cancel", {{"id", id}});
  }
  CHECK(threads() <= few + 1);
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
