#include "apps/connection.hpp"

#include "base/text.hpp"
#include "envs/tau2/domain_kinds.hpp"
#include "net/endpoint.hpp"

#include <fmt/format.h>

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

} // namespace

result<offered_environment> parse_offer(const std::string& text) {
  const auto equals = text.find('=');
  offered_environment out{text.substr(0, equals), {}};
  if (equals != std::string::npos) out.data = text.substr(equals + 1);
  if (out.kind != "toy" && !tau2::find_domain_kind(out.kind))
    return error{ec::invalid_argument,
                 fmt::format("--env {}: unknown environment '{}'; there are "
                             "{}=DIRECTORY and toy",
                             text, out.kind, tau2_kinds())};
  if (out.kind != "toy" && out.data.empty())
    return error{ec::invalid_argument,
                 fmt::format("--env {}: say where its data is: {}=DIRECTORY",
                             text, out.kind)};
  return out;
}

} // namespace brewery
