#include "cli/operator/connection.hpp"

#include "net/endpoint.hpp"

#include <fmt/format.h>

namespace brewery {

void add_connection_options(CLI::App& command,
                            connection_arguments& arguments) {
  arguments.connect = default_address;
  command
      .add_option("--connect", arguments.connect,
                  "Address of the coordinator: tcp://HOST:PORT or ipc://PATH.")
      ->envname("BREWERY_CONNECT")
      ->capture_default_str();
  add_key_options(command, arguments);
}

void add_key_options(CLI::App& command, connection_arguments& arguments) {
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
      ->check(number_from(0.1, 3600))
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
                 "--key and --server-key must be given together: the key of "
                 "this process, and the public key of the coordinator"};
  if (arguments.key.empty()) return out;
  auto key = read_key_file(arguments.key);
  if (!key) return key.error();
  out.keys = std::move(*key);
  out.server_keys = arguments.server_key;
  if (auto known = read_public_keys(out.server_keys); !known)
    return known.error();
  return out;
}

} // namespace brewery
