#include "envs/osworld/desktops/local_provider.hpp"

#include "envs/osworld/desktops/guest_modules.hpp"
#include "process/service_channel.hpp"
#include "process/temporary_folder.hpp"

#include <fmt/format.h>

#include <array>
#include <map>
#include <random>

namespace brewery::osworld {

namespace fs = std::filesystem;

using std::chrono::milliseconds;
using std::chrono::steady_clock;

namespace {

/// Debian's: the modules that a desktop needs are packages of it.
constexpr const char* desktop_python = "/usr/bin/python3";
constexpr milliseconds desktop_end_patience{2'000};
constexpr milliseconds prepare_patience{30'000};

/// What the launcher needs of this machine. None of this process's own
/// variables reach a desktop.
const std::vector<std::pair<std::string, std::string>> launch_variables{
    {"PATH", "/usr/local/bin:/usr/bin:/bin"},
    {"LC_ALL", "C.UTF-8"},
    {"PYTHONDONTWRITEBYTECODE", "1"}};

std::string random_token() {
  std::random_device device;
  std::string out;
  for (int i = 0; i < 8; ++i)
    out += fmt::format("{:08x}", device());
  return out;
}

result<void> write_modules(const fs::path& directory,
                           const std::vector<embedded_text>& modules) {
  if (auto ok = make_directories(directory); !ok) return ok;
  for (const auto& module : modules)
    if (auto ok = write_file_atomically(
            directory / (std::string{module.name} + ".py"), module.text);
        !ok)
      return ok;
  return {};
}

/// Runs desktop_home, which prints nothing when all is well.
result<void> prepare_home(const fs::path& program, const fs::path& out) {
  auto started = child::child_process::start(
      {{desktop_python, program.string(), out.string()}, {}, launch_variables});
  if (!started) return started.error();
  const auto how = started->end(prepare_patience);
  if (fs::exists(out)) return {};
  return error{ec::exhausted, "the home of desktops cannot be prepared: "
                                  + (how.empty() ? "it took too long" : how)
                                  + "; is openbox installed "
                                    "(scripts/install_deps.sh --osworld)?"};
}

result<std::uint16_t> port_of(const json& hello, const char* name) {
  const auto ports = hello.find("ports");
  if (ports != hello.end() && ports->is_object() && ports->contains(name)
      && (*ports)[name].is_number_unsigned())
    return (*ports)[name].get<std::uint16_t>();
  return error{ec::malformed,
               fmt::format("the desktop's hello has no port of {}", name)};
}

class local_provider final : public desktop_provider {
public:
  local_provider(temporary_folder directory, const local_options& options)
      : directory_(std::move(directory)), options_(options) {}

  [[nodiscard]] std::string_view name() const override { return "local"; }

  result<desktop> start() override {
    const auto token = random_token();
    auto told = launch_variables;
    told.emplace_back("BREWERY_DESKTOP", request(token));
    auto started = child::child_process::start(
        {{desktop_python, (directory_.path() / "desktop_launch.py").string()},
         {},
         std::move(told)});
    if (!started) return started.error();
    const auto pid = started->pid();
    auto channel = std::make_shared<child::service_channel>(
        std::move(*started), [](const std::string&) {});
    const auto hello = channel->hello(options_.start_timeout);
    if (!hello)
      return error{hello.error().code == ec::timeout ? ec::environment
                                                     : hello.error().code,
                   "a desktop did not start: " + hello.error().message};
    auto made = read_hello(*hello, token);
    if (!made) return made.error();
    made->id = fmt::format("local {}", pid);
    const std::lock_guard lock{mutex_};
    running_.emplace(made->id, std::move(channel));
    return made;
  }

  void stop(const desktop& used) override {
    std::shared_ptr<child::service_channel> channel;
    {
      const std::lock_guard lock{mutex_};
      const auto found = running_.find(used.id);
      if (found == running_.end()) return;
      channel = std::move(found->second);
      running_.erase(found);
    }
    channel->end(desktop_end_patience);
  }

  [[nodiscard]] std::string ended(const desktop& one) const override {
    const std::lock_guard lock{mutex_};
    const auto found = running_.find(one.id);
    return found == running_.end() ? "it was stopped" : found->second->broken();
  }

private:
  [[nodiscard]] std::string request(const std::string& token) const {
    return json{{"screen", {options_.width_px, options_.height_px}},
                {"token", token},
                {"modules", (directory_.path() / "guest").string()},
                {"home", (directory_.path() / "home.tar").string()},
                {"home_bytes", options_.directory_bytes}}
        .dump();
  }

  static result<desktop> read_hello(const json& hello,
                                    const std::string& token) {
    if (const auto failed = hello.find("failed");
        failed != hello.end() && failed->is_string())
      return error{ec::exhausted, failed->get<std::string>()};
    desktop made;
    made.address.token = secret{token};
    for (const auto& [name, port] :
         std::initializer_list<std::pair<const char*, std::uint16_t*>>{
             {"server", &made.address.server_port},
             {"chromium", &made.address.chromium_port},
             {"vlc", &made.address.vlc_port}}) {
      const auto read = port_of(hello, name);
      if (!read) return read.error();
      *port = *read;
    }
    return made;
  }

  const temporary_folder directory_;
  const local_options options_;
  mutable std::mutex mutex_;
  std::map<std::string, std::shared_ptr<child::service_channel>> running_;
};

} // namespace

result<std::unique_ptr<desktop_provider>>
make_local_provider(const local_options& options) {
  auto directory = temporary_folder::make("brewery-desktops-");
  if (!directory) return directory.error();
  directory->let_pass();
  const auto& path = directory->path();
  if (auto ok = write_modules(path, launch_modules()); !ok) return ok.error();
  if (auto ok = write_modules(path / "guest", guest_modules()); !ok)
    return ok.error();
  if (auto ok = prepare_home(path / "desktop_home.py", path / "home.tar"); !ok)
    return ok.error();
  return std::unique_ptr<desktop_provider>{
      std::make_unique<local_provider>(std::move(*directory), options)};
}

} // namespace brewery::osworld
