#pragma once
/// What metrics over XML share. Pure.

#include "envs/osworld/grading/metrics/metric.hpp"
#include "envs/osworld/grading/select/xml_selector.hpp"

namespace brewery::osworld {

using xml_nodes = std::vector<xml_node>;

/// Of a text or a file. Error ec::malformed: it is no XML.
result<xml_nodes> nodes_of(const graded_value& value);

/// Indices of what an XPath selects, which has to be one that is known.
std::vector<std::size_t> selected(const xml_nodes& all, std::string_view xpath,
                                  const xml_prefixes& prefixes = {});

/// The first element below one, of its children or of all; null: none.
const xml_node* first_below(const xml_nodes& all, std::size_t index,
                            std::string_view tag, bool children_only);

} // namespace brewery::osworld
