/// ssh: processes in the background of other machines. One connection to each
/// host and step; what is done there is a script on its standard input, so no
/// word passes through two shells.

#include "base/text.hpp"
#include "cli/cluster_up/engine.hpp"

#include <fmt/format.h>

namespace brewery {

namespace {

/// A handle is HOST:PID.
std::string host_of(const std::string& handle) {
  return handle.substr(0, handle.rfind(':'));
}
std::string pid_of(const std::string& handle) {
  return handle.substr(handle.rfind(':') + 1);
}

/// Ids by their host.
std::map<std::string, worker_ids> by_host(const worker_array& array,
                                          const worker_ids& ids) {
  std::map<std::string, worker_ids> out;
  for (const auto id : ids)
    if (const auto it = array.handles.find(id); it != array.handles.end())
      out[host_of(it->second)].push_back(id);
    else if (!array.hosts.empty())
      out[array.hosts[id % array.hosts.size()]].push_back(id);
  return out;
}

engine_command on_host(const worker_array& array, const std::string& host,
                       std::string script) {
  std::vector<std::string> words{"ssh", "-o", "BatchMode=yes", "-o",
                                 "ConnectTimeout=10"};
  words.insert(words.end(), array.engine_words.begin(),
               array.engine_words.end());
  words.insert(words.end(), {"--", host, "sh -s"});
  return {std::move(words), std::move(script), "on " + host};
}

/// Ends the script with a line for people unless the coordinator's port can
/// be opened. Without bash and timeout it is not tried.
std::string reach_check(const std::string& connect) {
  constexpr std::string_view scheme = "tcp://";
  const auto colon = connect.rfind(':');
  if (connect.rfind(scheme, 0) != 0 || colon < scheme.size()) return {};
  auto host = connect.substr(scheme.size(), colon - scheme.size());
  if (host.size() > 2 && host.front() == '[')
    host = host.substr(1, host.size() - 2);
  const auto port = connect.substr(colon + 1);
  const auto said =
      fmt::format("no coordinator can be reached from here at {}", connect);
  return fmt::format(
      "if command -v bash && command -v timeout; then\n"
      "  timeout 20 bash -c ': <\"/dev/tcp/$0/$1\"' {} {} 2>/dev/null ||\n"
      "    {{ echo {} >&2; exit 3; }}\nfi >/dev/null\n",
      shell_word(host), shell_word(port), shell_word(said));
}

std::string start_script(const worker_array& array, const std::string& host,
                         const worker_ids& ids) {
  auto out = fmt::format(
      "cd -- {0} || exit 3\n"
      "command -v {1} >/dev/null ||\n"
      "  {{ echo {2} >&2; exit 3; }}\n{3}",
      shell_word(array.directory), shell_word(array.program),
      shell_word("there is no program " + array.program + ": --program"),
      reach_check(option_value(array.worker_words, "--connect")));
  for (const auto id : ids)
    out += fmt::format("setsid {} >>{} 2>&1 </dev/null &\necho {} {}:$!\n",
                       shell_line(worker_line(array, worker_name(array, id))),
                       shell_word(worker_log(array, id)), id, shell_word(host));
  return out;
}

/// For each id, `then` if its process lives: another process may have got
/// its number, but not its name.
std::string for_living(const worker_array& array, const worker_ids& ids,
                       std::string_view then) {
  std::string out = "mine() {\n"
                    "  tr '\\0' '\\n' 2>/dev/null <\"/proc/$2/cmdline\" |\n"
                    "    grep -qxF -e \"$3\"\n}\n";
  for (const auto id : ids) {
    const auto& handle = array.handles.at(id);
    out += fmt::format("set -- {} {} {}; mine \"$@\" && {}\n", id,
                       shell_word(pid_of(handle)),
                       shell_word(worker_name(array, id)), then);
  }
  return out + "true\n";
}

worker_ids known(const worker_array& array) {
  worker_ids out;
  for (const auto& [id, handle] : array.handles)
    out.push_back(id);
  return out;
}

class ssh final : public worker_engine {
  static std::vector<engine_command> each_host(const worker_array& array,
                                               const worker_ids& ids,
                                               std::string_view then) {
    std::vector<engine_command> out;
    for (const auto& [host, there] : by_host(array, ids))
      out.push_back(on_host(array, host, for_living(array, there, then)));
    return out;
  }

  std::vector<engine_command> list(const worker_array& array) const override {
    return each_host(array, known(array), "echo \"$1 running\"");
  }

  result<std::vector<engine_worker>>
  listed(const worker_array&, const std::string& answer) const override {
    return workers_of_lines(answer);
  }

  std::vector<engine_command> start(const worker_array& array,
                                    const worker_ids& ids) const override {
    // The hosts of now, also for ids that ran on others before.
    auto fresh = array;
    fresh.handles.clear();
    std::vector<engine_command> out;
    for (const auto& [host, there] : by_host(fresh, ids))
      out.push_back(on_host(array, host, start_script(array, host, there)));
    return out;
  }

  result<std::map<std::uint32_t, std::string>>
  started(const worker_ids&, const std::string& answer) const override {
    return id_lines(answer);
  }

  std::vector<engine_command> stop(const worker_array& array,
                                   const worker_ids& ids) const override {
    worker_ids there;
    for (const auto id : ids)
      if (array.handles.count(id) != 0) there.push_back(id);
    return each_host(array, there, "kill -TERM \"$2\"");
  }
};

} // namespace

const worker_engine& ssh_engine() {
  static const ssh only;
  return only;
}

} // namespace brewery
