#pragma once
/// An environment that a process offers with `--env`: its kind and where its
/// data or program is.

#include "base/result.hpp"
#include "config/config.hpp"

#include <string>
#include <vector>

namespace brewery {

/// An argument of --env: KIND, KIND=DIRECTORY, external=COMMAND, or
/// KIND=FILE.toml with the options in the file's [environment] and [embedder].
/// Directory and file must be there; whether the program can be started shows
/// when it is.
struct offered_environment {
  std::string kind;
  environment_options options;
  /// Of the file; the default if there is none. A sentence model is started as
  /// it says, and as nobody else does.
  embedder_options embedder = {};
};
result<offered_environment> parse_offer(const std::string& text);
/// Of one process: it has one benchmark of a kind.
result<std::vector<offered_environment>>
parse_offers(const std::vector<std::string>& texts);

} // namespace brewery
