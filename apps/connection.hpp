#pragma once
/// How a command reaches a coordinator: its address and the keys, from options
/// or from BREWERY_CONNECT, BREWERY_KEY and BREWERY_SERVER_KEY.

#include "apps/commands.hpp"
#include "config/config.hpp"
#include "net/dealer.hpp"

namespace brewery {

struct connection_arguments {
  std::string connect;
  std::string key;
  std::string server_key;
  double patience_s = 15; ///< of commands that wait for an answer
};

inline constexpr const char* default_address = "tcp://127.0.0.1:7420";

void add_connection_options(CLI::App& command, connection_arguments& arguments);

/// Adds `--timeout`.
void add_patience_option(CLI::App& command, connection_arguments& arguments);

/// Checks and reads the keys.
result<dealer_options> dealer_options_of(const connection_arguments& arguments,
                                         const std::string& routing_id);

/// 16 random hex digits: a name nobody else has.
std::string random_id();

/// What this process has of --env KIND, KIND=DIRECTORY, external=COMMAND or
/// KIND=FILE.toml, whose [environment] it is.
struct offered_environment {
  std::string kind;
  environment_options options;
};
result<offered_environment> parse_offer(const std::string& text);

} // namespace brewery
