/// `brewery keys`.

#include "base/text.hpp"
#include "cli/json_line.hpp"
#include "cli/operator/operator_client.hpp"
#include "cli/terminal.hpp"
#include "net/curve_keys.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <memory>

namespace brewery {

namespace {

constexpr const char* keys_footer =
    "Keys authenticate workers and operators to a coordinator, and the "
    "coordinator to them. A\ndirectory of keys contains NAME.key (secret, mode "
    "0600), NAME.pub, and allowed/, the keys that\nmay connect. A coordinator "
    "reads allowed/ at every connection, so changes need no restart.\n\nA "
    "cluster over a network:\n  brewery keys new coordinator --role "
    "coordinator\n  brewery keys new w1\n  brewery keys new alice --role "
    "operator\n  brewery coordinator --listen tcp://0.0.0.0:7420 --keys keys\n "
    " brewery worker --key keys/w1.key --server-key keys/coordinator.pub "
    "...\n\nTo replace a worker's key: create a new one, start a worker with "
    "it, drain the old worker,\nrevoke the old key. To replace the "
    "coordinator's: append its new public key to the file that\nworkers read, "
    "and restart it with the new key. Workers try each key and lose no job.";

struct keys_arguments {
  std::string directory = "keys";
  std::string name;
  std::string role = "worker";
  bool json = false;
  bool now = false; ///< a revoked key's sessions end too
  connection_arguments connection;
};

int new_key(const keys_arguments& arguments) {
  const auto role = parse_peer_kind(arguments.role);
  if (!role) return report(role.error());
  const key_directory keys{arguments.directory};
  const auto made = keys.create(arguments.name, *role);
  if (!made) return report(made.error());
  fmt::print("{} {} {}\nsecret in {}, public in {}\n", to_string(*role),
             made->name, made->public_key, keys.key_file(made->name).string(),
             keys.public_file(made->name).string());
  return exit_ok;
}

int list_keys(const keys_arguments& arguments) {
  std::error_code ignored;
  if (!std::filesystem::is_directory(arguments.directory, ignored))
    return report(error{ec::not_found, "--keys " + arguments.directory
                                           + ": no such directory"});
  const auto keys = key_directory{arguments.directory}.list();
  std::vector<std::vector<std::string>> rows{
      {"name", "role", "state", "public key"}};
  for (const auto& peer : keys.peers) {
    const std::string state = peer.revoked ? "revoked" : "allowed";
    if (arguments.json)
      std::fputs(json_line("key", {{"name", peer.name},
                                   {"role", to_string(peer.role)},
                                   {"state", state},
                                   {"public_key", peer.public_key}})
                     .c_str(),
                 stdout);
    else
      rows.push_back({peer.name, std::string{to_string(peer.role)}, state,
                      peer.public_key});
  }
  if (rows.size() > 1)
    std::fputs(fitted_table(rows).c_str(), stdout);
  else if (!arguments.json && keys.unread.empty())
    std::fputs(("no keys in " + arguments.directory + '\n').c_str(), stdout);
  int code = exit_ok;
  for (const auto& why : keys.unread)
    code = report(why);
  return code;
}

/// The revoked keys of a name, with spaces between them.
std::string revoked_keys(const key_directory& keys, const std::string& name) {
  std::vector<std::string> out;
  for (const auto& one : keys.list().peers)
    if (one.name == name && one.revoked) out.push_back(one.public_key);
  return join(out, " ");
}

int revoke_key(const keys_arguments& arguments) {
  const key_directory keys{arguments.directory};
  const auto done = keys.revoke(arguments.name);
  // An order that did not reach the coordinator is given again.
  const auto revoked = revoked_keys(keys, arguments.name);
  const bool before = !done && arguments.now && !revoked.empty();
  if (!done && !before) return report(done.error());
  fmt::print("{} is revoked{}\n", arguments.name, before ? " already" : "");
  if (!arguments.now) return exit_ok;
  const auto answer = ask_coordinator(arguments.connection, "check_keys",
                                      {{"revoked", revoked}});
  if (!answer)
    return report(error{answer.error().code, "its sessions may still be open: "
                                                 + answer.error().message});
  fmt::print("{} ended\n",
             counted((*answer)["sessions"].get<std::uint64_t>(), "session"));
  if (answer->value("still_allowed", false))
    return report(
        error{ec::invalid_argument,
              fmt::format("the coordinator still allows the key of {}: it does "
                          "not read {}; revoke the key in the directory that "
                          "its --keys names",
                          arguments.name, arguments.directory)});
  return exit_ok;
}

} // namespace

void add_keys_commands(CLI::App& app, chosen_command& chosen) {
  auto* keys =
      add_command(app, "keys", "Manage the keys of a cluster.", keys_footer);
  keys->require_subcommand(1);
  auto arguments = std::make_shared<keys_arguments>();
  const auto add = [&](const std::string& name, const std::string& sentence,
                       int (*run)(const keys_arguments&)) {
    auto* command = keys->add_subcommand(name, sentence);
    command
        ->add_option("--keys", arguments->directory, "The directory of keys.")
        ->capture_default_str();
    command->callback([arguments, run, &chosen] {
      chosen = [=] { return run(*arguments); };
    });
    return command;
  };
  auto* made = add("new", "Create a key and allow it to connect.", new_key);
  made->add_option("NAME", arguments->name, "Name of the key.")->required();
  made->add_option("--role", arguments->role,
                   "worker, operator or coordinator.")
      ->capture_default_str();
  add("list", "List allowed and revoked keys.", list_keys)
      ->add_flag("--json", arguments->json, "JSON lines on standard output.");
  auto* revoked = add("revoke", "Revoke a key.", revoke_key);
  revoked->add_option("NAME", arguments->name, "Name of the key.")->required();
  revoked->add_flag(
      "--now", arguments->now,
      "Ask the coordinator to end the open sessions of revoked keys too. Jobs "
      "of their workers go to others.");
  add_connection_options(*revoked, arguments->connection);
  add_patience_option(*revoked, arguments->connection);
}

} // namespace brewery
