#pragma once
/// Sends one order to a coordinator and waits for the answer.

#include "cli/operator/connection.hpp"
#include "messages/cluster_msgs.hpp"

#include <nlohmann/json.hpp>

namespace brewery {

/// Error ec::timeout if no coordinator answers within `where.patience_s`.
result<nlohmann::ordered_json>
ask_coordinator(const connection_arguments& where, const std::string& verb,
                std::map<std::string, std::string> words);

} // namespace brewery
