#pragma once
/// Nodes as the records that reports, logs and messages carry.

#include "messages/search_msgs.hpp"
#include "search/tree.hpp"

namespace brewery {

node_record record_of(const node& item);

/// All nodes in id order.
std::vector<node_record> records_of(const tree& searched);

} // namespace brewery
