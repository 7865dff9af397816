#pragma once
/// How a command connects to a coordinator: address and keys, from options or
/// from BREWERY_CONNECT, BREWERY_KEY and BREWERY_SERVER_KEY.

#include "cli/commands.hpp"
#include "config/config.hpp"
#include "net/dealer.hpp"

namespace brewery {

struct connection_arguments {
  std::string connect;
  std::string key;
  std::string server_key;
  double patience_s = 15; ///< for commands that wait for an answer
};

inline constexpr const char* default_address = "tcp://127.0.0.1:7420";

void add_connection_options(CLI::App& command, connection_arguments& arguments);

/// Only those of the keys.
void add_key_options(CLI::App& command, connection_arguments& arguments);

/// Adds `--timeout`.
void add_patience_option(CLI::App& command, connection_arguments& arguments);

/// Checks and reads the keys.
result<dealer_options> dealer_options_of(const connection_arguments& arguments,
                                         const std::string& routing_id);

} // namespace brewery
