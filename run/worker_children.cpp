#include "run/worker_children.hpp"

#include "base/file.hpp"
#include "base/secret.hpp"
#include "config/print.hpp"
#include "llm/accounts/model_catalog.hpp"
#include "process/spawn.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <set>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace brewery {

namespace {

constexpr std::chrono::seconds restart_pause{1};
constexpr std::chrono::milliseconds patience{2000};

/// The configuration file from which the children read the environment.
constexpr const char* told_name = "environment.toml";

std::vector<std::string> arguments_of(const config& options,
                                      const std::string& address,
                                      const std::filesystem::path& directory,
                                      std::size_t number) {
  const auto offer = options.environment.kind + "=" + directory.string();
  return {"brewery",
          "worker",
          "--connect",
          address,
          "--slots",
          "1",
          "--env",
          offer,
          "--name",
          "child" + std::to_string(number + 1),
          "--no-spool",
          "--grace",
          "1",
          "--log-level",
          options.run.log_level};
}

/// Only this process asks model servers, so none of these has a key of theirs,
/// and they connect to this process, whatever cluster the user works with. What
/// the configuration passes on to a benchmark's program goes through.
std::vector<std::string> variables_for(const config& options) {
  redactor keys;
  if (!options.models.catalog.empty())
    for (const auto& [name, server] :
         load_model_catalog(options.models.catalog).value.servers) {
      keys.add(server.api_key);
      for (const auto& header : server.headers)
        keys.add(header.value);
    }
  const auto& where = options.environment;
  const auto is_passed = [&](const std::string& name) {
    return std::ranges::count(where.external.child.pass_env, name)
           + std::ranges::count(where.tau2_official.child.pass_env, name);
  };
  const std::set<std::string> of_others{"BREWERY_CONNECT", "BREWERY_KEY",
                                        "BREWERY_SERVER_KEY",
                                        "BREWERY_UI_TOKEN"};
  auto out = brewery::child::own_variables();
  std::erase_if(out, [&](const std::string& variable) {
    const auto name = variable.substr(0, variable.find('='));
    return !is_passed(name)
           && (of_others.contains(name) || keys(variable) != variable);
  });
  return out;
}

} // namespace

worker_children::worker_children(const config& options,
                                 temporary_folder directory)
    : options_(options), directory_(std::move(directory)),
      variables_(variables_for(options)), children_(options.run.workers) {}

result<std::unique_ptr<worker_children>>
worker_children::make(const config& options) {
  // Only this user can reach the socket in it.
  auto directory = temporary_folder::make("brewery-workers-");
  if (!directory) return directory.error();
  if (auto ok = write_file_atomically(directory->path() / told_name,
                                      to_toml(options));
      !ok)
    return ok.error();
  return std::unique_ptr<worker_children>{
      new worker_children{options, std::move(*directory)}};
}

std::string worker_children::address() const {
  return "ipc://" + (directory_.path() / "socket").string();
}

void worker_children::launch(child& one, std::size_t number) {
  one.started = std::chrono::steady_clock::now();
  brewery::child::spawn_request what;
  what.program = "/proc/self/exe";
  what.words =
      arguments_of(options_, address(), directory_.path() / told_name, number);
  what.variables = variables_;
  // In its own process group: Ctrl-C goes only to the parent, which then asks
  // the child to end.
  one.pid = brewery::child::spawn(what);
  if (one.pid < 0) spdlog::error("cannot start a worker: fork failed");
}

void worker_children::start() {
  const std::lock_guard lock{mutex_};
  if (started_) return;
  started_ = true;
  for (std::size_t i = 0; i < children_.size(); ++i)
    launch(children_[i], i);
}

void worker_children::restart_ended() {
  const std::lock_guard lock{mutex_};
  if (!started_) return;
  const auto now = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i < children_.size(); ++i) {
    auto& one = children_[i];
    int status = 0;
    if (one.pid > 0 && ::waitpid(one.pid, &status, WNOHANG) == one.pid) {
      spdlog::warn("worker_died name=child{} pid={} status={}", i + 1, one.pid,
                   status);
      one.pid = -1;
    }
    if (one.pid < 0 && now - one.started >= restart_pause) launch(one, i);
  }
}

worker_children::~worker_children() {
  for (const auto& one : children_)
    if (one.pid > 0) ::kill(one.pid, SIGTERM);
  const auto deadline = std::chrono::steady_clock::now() + patience;
  for (const auto& one : children_) {
    if (one.pid <= 0) continue;
    while (::waitpid(one.pid, nullptr, WNOHANG) == 0) {
      if (std::chrono::steady_clock::now() >= deadline)
        ::kill(one.pid, SIGKILL);
      std::this_thread::sleep_for(std::chrono::milliseconds{5});
    }
  }
}

} // namespace brewery
