#include "envs/osworld/desktops/docker_provider.hpp"

#include "base/file.hpp"
#include "envs/osworld/desktops/docker_engine.hpp"
#include "messages/json.hpp"

#include <fmt/format.h>

#include <charconv>
#include <sstream>
#include <unistd.h>

namespace brewery::osworld {

namespace fs = std::filesystem;

namespace {

constexpr const char* owner_label = "brewery.osworld.owner";
/// Ports of the guest that the image passes on.
constexpr int guest_server = 5000, guest_chromium = 9222, guest_vlc = 8080;

/// Field 22 of /proc/PID/stat: when it started. Empty: there is no such
/// process. With it, a number that was given to another process is told apart.
std::string start_of(const std::string& pid) {
  const auto stat = read_file("/proc/" + pid + "/stat");
  if (!stat) return {};
  // The second field is a name in parentheses that may contain anything.
  const auto name_end = stat->find_last_of(')');
  if (name_end == std::string::npos) return {};
  std::istringstream fields{stat->substr(name_end + 1)};
  std::string field;
  for (int number = 3; number <= 22; ++number)
    if (!(fields >> field)) return {};
  return field;
}

std::string this_owner() {
  const auto pid = std::to_string(::getpid());
  return pid + ":" + start_of(pid);
}

bool owner_lives(const std::string& owner) {
  const auto colon = owner.find(':');
  return colon != std::string::npos
         && start_of(owner.substr(0, colon)) == owner.substr(colon + 1);
}

std::string port_key(int port) {
  return fmt::format("{}/tcp", port);
}

class docker_provider final : public desktop_provider {
public:
  explicit docker_provider(docker_options options)
      : options_(std::move(options)),
        engine_(options_.socket, options_.call_timeout) {}

  [[nodiscard]] std::string_view name() const override { return "docker"; }

  result<desktop> start() override {
    const auto made = engine_.ask("POST", "/containers/create", container());
    if (!made)
      return made.error().code == ec::not_found
                 ? error{ec::exhausted, made.error().message
                                            + "; pull the image first: docker "
                                              "pull "
                                            + options_.image}
                 : made.error();
    const auto id = made->value("Id", std::string{});
    if (id.empty())
      return error{ec::environment, "docker gave the new container no Id"};
    auto begun = begin(id);
    if (!begun) remove(id);
    return begun;
  }

  void stop(const desktop& used) override { remove(used.id); }

  [[nodiscard]] std::string ended(const desktop& one) const override {
    const auto about = engine_.ask("GET", "/containers/" + one.id + "/json");
    if (!about)
      return about.error().code == ec::not_found ? about.error().message : "";
    const auto state = about->find("State");
    if (state == about->end() || !state->is_object()
        || state->value("Running", true))
      return {};
    return fmt::format("its container ended with exit status {}",
                       state->value("ExitCode", -1));
  }

  /// Removes containers of processes that have ended.
  result<void> remove_abandoned() {
    const json filter{{"label", {owner_label}}};
    const auto listed = engine_.ask("GET", "/containers/json?all=1&filters="
                                               + escaped(filter.dump()));
    if (!listed) return listed.error();
    if (!listed->is_array()) return {};
    for (const auto& one : *listed) {
      const auto labels = one.value("Labels", json::object());
      if (!owner_lives(labels.value(owner_label, std::string{})))
        remove(one.value("Id", std::string{}));
    }
    return {};
  }

private:
  [[nodiscard]] json container() const {
    json published = json::object(), exposed = json::object();
    for (const int port : {guest_server, guest_chromium, guest_vlc}) {
      // An empty HostPort: the kernel chooses one, so that nothing is scanned.
      published[port_key(port)] = {{{"HostIp", "127.0.0.1"}, {"HostPort", ""}}};
      exposed[port_key(port)] = json::object();
    }
    const bool has_kvm = ::access("/dev/kvm", R_OK | W_OK) == 0;
    json environment{"DISK_SIZE=" + options_.disk_size,
                     "RAM_SIZE=" + options_.memory,
                     fmt::format("CPU_CORES={}", options_.cores)};
    if (!has_kvm) environment.push_back("KVM=N");
    json host{{"Binds", {options_.disk.string() + ":/System.qcow2:ro"}},
              {"CapAdd", {"NET_ADMIN"}},
              {"PortBindings", published},
              {"AutoRemove", true}};
    if (has_kvm)
      host["Devices"] = {{{"PathOnHost", "/dev/kvm"},
                          {"PathInContainer", "/dev/kvm"},
                          {"CgroupPermissions", "rwm"}}};
    return {{"Image", options_.image},
            {"Env", environment},
            {"ExposedPorts", exposed},
            {"Labels", {{owner_label, this_owner()}}},
            {"HostConfig", host}};
  }

  result<desktop> begin(const std::string& id) {
    const auto started = engine_.ask("POST", "/containers/" + id + "/start");
    if (!started) return started.error();
    const auto about = engine_.ask("GET", "/containers/" + id + "/json");
    if (!about) return about.error();
    desktop made{id, {}};
    for (const auto& [port, place] :
         std::initializer_list<std::pair<int, std::uint16_t*>>{
             {guest_server, &made.address.server_port},
             {guest_chromium, &made.address.chromium_port},
             {guest_vlc, &made.address.vlc_port}}) {
      const json::json_pointer at{
          fmt::format("/NetworkSettings/Ports/{}~1tcp/0/HostPort", port)};
      const auto text = about->contains(at) && about->at(at).is_string()
                            ? about->at(at).get<std::string>()
                            : std::string{};
      const auto end = text.data() + text.size();
      if (text.empty() || std::from_chars(text.data(), end, *place).ptr != end)
        return error{ec::environment,
                     fmt::format("docker published no port for {} of the "
                                 "container {}",
                                 port_key(port), id.substr(0, 12))};
    }
    return made;
  }

  void remove(const std::string& id) {
    // One that is gone already, or whose daemon is, cannot be removed.
    if (!id.empty())
      (void)engine_.ask("DELETE", "/containers/" + id + "?force=1&v=1");
  }

  static std::string escaped(const std::string& text) {
    std::string out;
    for (const char c : text)
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    return out;
  }

  const docker_options options_;
  const docker_engine engine_;
};

} // namespace

result<std::unique_ptr<desktop_provider>>
make_docker_provider(const docker_options& options) {
  std::error_code failed;
  if (options.disk.empty() || !fs::is_regular_file(options.disk, failed))
    return error{ec::invalid_config,
                 options.disk.empty()
                     ? "environment.osworld.docker_disk is empty: the provider "
                       "'docker' needs the official disk image, Ubuntu.qcow2"
                     : "environment.osworld.docker_disk: there is no file '"
                           + options.disk.string() + "'"};
  auto made = std::make_unique<docker_provider>(options);
  if (auto ok = made->remove_abandoned(); !ok) return ok.error();
  return std::unique_ptr<desktop_provider>{std::move(made)};
}

} // namespace brewery::osworld
