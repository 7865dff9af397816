#include "envs/osworld/osworld_benchmark.hpp"

#include "base/hash.hpp"
#include "base/text.hpp"
#include "envs/osworld/desktops/guest_modules.hpp"
#include "envs/osworld/desktops/options.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <thread>

namespace brewery::osworld {

namespace {

/// Increase it if an episode's results for the same input change.
constexpr std::string_view osworld_adapter_version = "osworld-1";

class osworld_benchmark final : public benchmark {
public:
  osworld_benchmark(task_set data, std::shared_ptr<const play_rules> rules,
                    std::string fingerprint)
      : data_(std::move(data)), rules_(std::move(rules)),
        fingerprint_(std::move(fingerprint)) {
    for (std::size_t i = 0; i < data_.tasks.size(); ++i) {
      const auto& task = data_.tasks[i];
      tasks_.push_back({task.id, task.instruction});
      by_id_.emplace(task.id, i);
    }
  }

  std::string_view name() const override { return benchmark_name; }
  const std::string& fingerprint() const override { return fingerprint_; }
  const std::vector<task_info>& tasks() const override { return tasks_; }
  const std::map<std::string, std::vector<std::size_t>>&
  splits() const override {
    return data_.splits;
  }

  result<std::unique_ptr<environment>>
  make(const task_id& task, const participants&) const override {
    const auto found = by_id_.find(task);
    if (found == by_id_.end())
      return error{ec::not_found,
                   fmt::format("there is no OSWorld task {}", task.value)};
    for (const auto& one : data_.refused)
      if (one.task == found->second)
        return error{ec::invalid_argument,
                     fmt::format("task {}: {}", task.value, one.reason.why)};
    return osworld_environment::start(rules_, data_.tasks[found->second]);
  }

  void release_children() const override { rules_->desktops->release(); }

private:
  task_set data_;
  std::shared_ptr<const play_rules> rules_;
  std::string fingerprint_;
  std::vector<task_info> tasks_;
  std::map<task_id, std::size_t> by_id_;
};

/// Error ec::not_found: a variable that an option names is not set.
result<secret> secret_option(const std::string& variable) {
  return variable.empty() ? secret{} : secret_from_environment(variable);
}

result<std::uint16_t> port_of(std::string_view text) {
  int value = 0;
  for (const char c : text)
    if (c < '0' || c > '9' || (value = value * 10 + (c - '0')) > 65'535)
      return error{ec::invalid_config, "is no port"};
  if (value == 0) return error{ec::invalid_config, "is no port"};
  return static_cast<std::uint16_t>(value);
}

/// HOST, or HOST:SERVER:CHROMIUM:VLC.
result<guest_address> address_of(const std::string& text) {
  guest_address out;
  const auto parts = split(text, ':');
  const error bad{ec::invalid_config,
                  fmt::format("environment.osworld.static_desktops: '{}' is "
                              "not HOST or HOST:SERVER:CHROMIUM:VLC",
                              text)};
  if (parts.front().empty() || (parts.size() != 1 && parts.size() != 4))
    return bad;
  out.host = parts.front();
  std::uint16_t* const ports[] = {&out.server_port, &out.chromium_port,
                                  &out.vlc_port};
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const auto port = port_of(parts[i]);
    if (!port) return bad;
    *ports[i - 1] = *port;
  }
  return out;
}

result<static_options> static_part(const osworld_settings& settings) {
  static_options out;
  const auto token = secret_option(settings.token_env);
  if (!token) return token.error();
  for (const auto& text : settings.static_desktops) {
    auto address = address_of(text);
    if (!address) return address.error();
    address->token = *token;
    static_desktop one{*address, {}};
    for (const auto& word : settings.static_reset)
      one.reset.push_back(replace_all(word, "{host}", address->host));
    out.desktops.push_back(std::move(one));
  }
  return out;
}

result<desktop_options> desktops_of(const osworld_settings& settings) {
  desktop_options out;
  out.provider = settings.provider;
  out.pool.leases = settings.desktops;
  out.pool.spares = settings.spares;
  out.pool.ready.fixed = std::chrono::milliseconds{settings.ready_pause_ms};
  out.local.width_px = settings.width_px;
  out.local.height_px = settings.height_px;
  out.docker.socket = settings.docker_socket;
  out.docker.image = settings.docker_image;
  out.docker.disk = settings.docker_disk;
  auto fixed = static_part(settings);
  if (!fixed) return fixed.error();
  out.fixed = std::move(*fixed);
  return out;
}

result<play_rules> rules_of(const osworld_settings& settings) {
  using std::chrono::milliseconds;
  play_rules out;
  if (settings.actions == "computer_13")
    out.actions = action_space::computer_13;
  out.observation.screenshot = settings.observation != "a11y_tree";
  out.observation.tree = settings.observation != "screenshot";
  out.observation.terminal = settings.terminal;
  out.steps = settings.steps;
  out.tree_bytes = settings.tree_bytes;
  out.action_pause = milliseconds{settings.action_pause_ms};
  out.wait = milliseconds{settings.wait_ms};
  out.start_pause = milliseconds{settings.start_pause_ms};
  out.grade_pause = milliseconds{settings.grade_pause_ms};
  out.take_timeout = std::chrono::seconds{settings.take_timeout_s};
  out.limits.accessibility =
      std::chrono::seconds{settings.accessibility_timeout_s};
  out.facts.width_px = settings.width_px;
  out.facts.height_px = settings.height_px;
  if (!settings.password_env.empty()) {
    auto password = secret_from_environment(settings.password_env);
    if (!password) return password.error();
    out.facts.password = std::move(*password);
    out.tell_password = false;
  }
  out.screenshots = settings.screenshots;
  out.pause = [](milliseconds time) { std::this_thread::sleep_for(time); };
  return out;
}

std::filesystem::path usual_cache() {
  const auto* cache = std::getenv("XDG_CACHE_HOME");
  if (cache && *cache) return std::filesystem::path{cache} / "brewery/osworld";
  const auto* home = std::getenv("HOME");
  return std::filesystem::path{home ? home : "."} / ".cache/brewery/osworld";
}

} // namespace

file_cache_options file_options(const std::filesystem::path& data,
                                const osworld_settings& settings) {
  file_cache_options out;
  out.directory = settings.cache.empty()
                      ? usual_cache()
                      : std::filesystem::path{settings.cache};
  out.data = data;
  out.mirror = settings.mirror;
  return out;
}

screen_probe probe_screen() {
  return [](const guest_address& at) -> result<std::string> {
    guest_client client{at};
    auto shown = client.screenshot();
    if (!shown) return shown.error();
    return std::move(shown->png);
  };
}

result<std::shared_ptr<const benchmark>>
load_osworld_on(task_set tasks, std::shared_ptr<const play_rules> rules,
                const std::string& version) {
  hash_input all;
  all.add(osworld_adapter_version).add(tasks.content).add(version);
  return std::shared_ptr<const benchmark>{std::make_shared<osworld_benchmark>(
      std::move(tasks), std::move(rules), all.content())};
}

result<std::shared_ptr<const benchmark>>
load_osworld(const std::filesystem::path& data,
             const osworld_settings& settings) {
  auto tasks = load_tasks(data, {.official = !settings.evaluators.empty()});
  if (!tasks) return tasks.error();
  auto rules = rules_of(settings);
  if (!rules) return rules.error();
  // What desktops are may change a rollout: its programs are those of the
  // provider, and the local one's server is part of this program.
  std::string version = settings.provider;
  if (settings.provider == "local") version += " " + guest_modules_hash();
  if (settings.provider == "docker") version += " " + settings.docker_image;
  if (!settings.evaluators.empty()) {
    const auto commit = evaluators_version(settings.evaluators);
    if (!commit) return commit.error();
    version += " " + *commit;
    rules->official = official_evaluators{
        official_grade_script(), std::filesystem::absolute(settings.evaluators),
        settings.evaluators_python,
        std::chrono::seconds{settings.grade_timeout_s}};
  }
  auto desktops = desktops_of(settings);
  if (!desktops) return desktops.error();
  rules->desktops =
      std::make_shared<desktop_source>([how = std::move(*desktops)] {
        return make_desktops(how, probe_screen());
      });
  rules->files =
      std::make_shared<const file_cache>(file_options(tasks->root, settings));
  return load_osworld_on(std::move(*tasks),
                         std::make_shared<const play_rules>(std::move(*rules)),
                         version);
}

} // namespace brewery::osworld
