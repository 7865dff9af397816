#include "apps/connection.hpp"

#include "base/text.hpp"
#include "config/load.hpp"
#include "config/option.hpp"
#include "config/rules.hpp"
#include "envs/tau2/domain_kinds.hpp"
#include "net/endpoint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <random>

namespace brewery {

void add_connection_options(CLI::App& command,
                            connection_arguments& arguments) {
  arguments.connect = default_address;
  command
      .add_option("--connect", arguments.connect,
                  "Address of the coordinator: tcp://HOST:PORT or ipc://PATH.")
      ->envname("BREWERY_CONNECT")
      ->capture_default_str();
  command
      .add_option("--key", arguments.key,
                  "Key file of this process (`brewery keys new`).")
      ->envname("BREWERY_KEY");
  command
      .add_option("--server-key", arguments.server_key,
                  "File with the coordinator's public key or keys.")
      ->envname("BREWERY_SERVER_KEY");
}

void add_patience_option(CLI::App& command, connection_arguments& arguments) {
  command
      .add_option("--timeout", arguments.patience_s,
                  "Seconds to wait for the coordinator's answer.")
      ->check(CLI::Range(0.1, 3600.0))
      ->capture_default_str();
}

result<dealer_options> dealer_options_of(const connection_arguments& arguments,
                                         const std::string& routing_id) {
  dealer_options out;
  out.connect = arguments.connect;
  out.routing_id = routing_id;
  if (auto ok = check_endpoint(arguments.connect); !ok) return ok.error();
  if (arguments.key.empty() != arguments.server_key.empty())
    return error{ec::invalid_argument,
                 "--key and --server-key belong together: the one says who "
                 "this is, the other who the coordinator must be"};
  if (arguments.key.empty()) return out;
  auto key = read_key_file(arguments.key);
  if (!key) return key.error();
  out.keys.push_back(std::move(*key));
  out.server_keys = arguments.server_key;
  if (auto known = read_public_keys(out.server_keys); !known)
    return known.error();
  return out;
}

std::string random_id() {
  std::random_device device;
  return fmt::format("{:08x}{:08x}", device(), device());
}

namespace {

std::string tau2_kinds() {
  std::vector<std::string> names;
  for (const auto& known : tau2::domain_kinds())
    names.emplace_back(known.kind);
  return join(names, "=DIRECTORY, ");
}

/// The [environment] of a configuration file, and only of the file: variables
/// of this process are for what is configured here.
result<environment_options> options_in(const std::string& file,
                                       const std::string& kind) {
  const auto loaded =
      load_config({.file = file,
                   .overrides = {},
                   .environment = {},
                   .working_directory = std::filesystem::current_path()});
  if (!loaded.problems.empty()) return loaded.problems.front();
  if (loaded.value.environment.kind != kind)
    return error{ec::invalid_argument,
                 fmt::format("--env {}={}: the file is for the environment "
                             "'{}'",
                             kind, file, loaded.value.environment.kind)};
  if (const auto missing = missing_inputs(loaded); !missing.empty())
    return missing.front();
  return loaded.value.environment;
}

bool is_toml_file(const std::string& text) {
  std::error_code ignored;
  return text.ends_with(".toml")
         && std::filesystem::is_regular_file(text, ignored);
}

} // namespace

result<offered_environment> parse_offer(const std::string& text) {
  const auto equals = text.find('=');
  offered_environment out{text.substr(0, equals), {}};
  const auto value = equals == std::string::npos ? "" : text.substr(equals + 1);
  const auto* kinds = find_option("environment.kind");
  if (std::find(kinds->choices.begin(), kinds->choices.end(), out.kind)
      == kinds->choices.end())
    return error{
        ec::invalid_argument,
        fmt::format("--env {}: unknown environment '{}'; there are "
                    "{}=DIRECTORY, spreadsheet=DIRECTORY, external=COMMAND, "
                    "tau2-official=CHECKOUT and toy",
                    text, out.kind, tau2_kinds())};
  if (out.kind != "toy" && value.empty())
    return error{ec::invalid_argument,
                 out.kind == "external"
                     ? fmt::format("--env {}: say what to start: "
                                   "external=COMMAND or external=FILE.toml",
                                   text)
                     : fmt::format("--env {}: say where its data is: "
                                   "{}=DIRECTORY",
                                   text, out.kind)};
  if (is_toml_file(value)) {
    auto options = options_in(value, out.kind);
    if (!options) return options.error();
    out.options = std::move(*options);
    return out;
  }
  out.options.kind = out.kind;
  if (out.kind == "external")
    out.options.command = {value};
  else if (!value.empty())
    out.options.data = std::filesystem::absolute(value);
  return out;
}

} // namespace brewery
