/// `brewery keys`.

#include "cli/commands.hpp"
#include "cli/json_line.hpp"
#include "cli/terminal.hpp"
#include "net/curve_keys.hpp"

#include <fmt/format.h>

#include <memory>

namespace brewery {

namespace {

constexpr const char* keys_footer =
    "Keys let workers and operators into a cluster and prove to them which "
    "coordinator they talk\nto. A directory of keys holds NAME.key (secret, "
    "mode 0600), NAME.pub, and allowed/: who may\nconnect. A coordinator reads "
    "allowed/ at every connection, so changes need no restart.\n\n"
    "A cluster over a network:\n"
    "  brewery keys new coordinator --role coordinator\n"
    "  brewery keys new w1\n"
    "  brewery keys new alice --role operator\n"
    "  brewery coordinator --listen tcp://0.0.0.0:7420 --keys keys\n"
    "  brewery worker --key keys/w1.key --server-key keys/coordinator.pub "
    "...\n\n"
    "To change a worker's key: make a new one, start a worker with it, drain "
    "the old worker, revoke\nits key. To change the coordinator's: append its "
    "new public key to the file that workers\nread, restart it with the new "
    "key; workers try each key and lose no job.";

struct keys_arguments {
  std::string directory = "keys";
  std::string name;
  std::string role = "worker";
  bool json = false;
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
  const auto keys = key_directory{arguments.directory}.list();
  if (!keys) return report(keys.error());
  std::vector<std::vector<std::string>> rows{
      {"name", "role", "state", "public key"}};
  for (const auto& peer : *keys) {
    const std::string state = peer.revoked ? "revoked" : "allowed";
    if (arguments.json)
      std::fputs(json_line({{"name", peer.name},
                            {"role", to_string(peer.role)},
                            {"state", state},
                            {"public_key", peer.public_key}})
                     .c_str(),
                 stdout);
    else
      rows.push_back({peer.name, std::string{to_string(peer.role)}, state,
                      peer.public_key});
  }
  if (!arguments.json)
    std::fputs(rows.size() > 1
                   ? table(rows).c_str()
                   : ("no keys in " + arguments.directory + '\n').c_str(),
               stdout);
  return exit_ok;
}

int revoke_key(const keys_arguments& arguments) {
  const auto done = key_directory{arguments.directory}.revoke(arguments.name);
  if (!done) return report(done.error());
  fmt::print("{} may not connect any more\n", arguments.name);
  return exit_ok;
}

} // namespace

void add_keys_commands(CLI::App& app, chosen_command& chosen) {
  auto* keys = add_command(app, "keys", "Who may join a cluster.", keys_footer);
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
  auto* made = add("new", "Make a key and let its holder in.", new_key);
  made->add_option("NAME", arguments->name, "Name of the key.")->required();
  made->add_option("--role", arguments->role,
                   "worker, operator or coordinator.")
      ->capture_default_str();
  add("list", "List who may connect and who may no more.", list_keys)
      ->add_flag("--json", arguments->json, "JSON lines on standard output.");
  add("revoke", "Let the holder of a key in no more.", revoke_key)
      ->add_option("NAME", arguments->name, "Name of the key.")
      ->required();
}

} // namespace brewery
