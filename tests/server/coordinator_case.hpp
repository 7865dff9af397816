#pragma once
/// A coordinator inside the test, at a local path: orders by an operator, and a
/// worker of the test's own where a run is to end.

#include "base/file.hpp"
#include "messages/wire/frame.hpp"
#include "run/setup/worker_benchmarks.hpp"
#include "server/coordinator_service.hpp"
#include "tests/net/cluster_port.hpp"
#include "workers/worker_process.hpp"

#include <nlohmann/json.hpp>

#include <future>

namespace brewery::test {

namespace fs = std::filesystem;

using words = std::map<std::string, std::string>;

/// Over within a second of work, but nobody works unless a test says so.
inline const std::string toy = R"([run]
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

inline nlohmann::json stored(const fs::path& directory,
                             const std::string& name) {
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
    while ((state == "running" || state == "stopping")
           && std::chrono::steady_clock::now() < end)
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

} // namespace brewery::test
