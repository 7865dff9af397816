#pragma once
/// Converts nodes to the records used in reports, the log and messages.

#include "messages/search_msgs.hpp"
#include "search/tree.hpp"

namespace brewery {

node_record record_of(const node& item);

/// All nodes in id order.
std::vector<node_record> records_of(const tree& searched);

} // namespace brewery
