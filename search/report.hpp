#pragma once
/// Converts nodes to the records used in reports, the log and messages.

#include "messages/search_msgs.hpp"
#include "search/tree.hpp"

namespace brewery {

node_record record_of(const node& item);

/// All nodes in id order.
std::vector<node_record> records_of(const tree& searched);

/// What of `now` is not in `before`, or differs there. Both in id order.
std::vector<node_record> changed_since(const std::vector<node_record>& before,
                                       const std::vector<node_record>& now);

} // namespace brewery
