#pragma once
/// The address in the browser's address bar, as the accessibility tree shows
/// it, and what the official getters read from it. Pure.

#include "base/json.hpp"
#include "base/result.hpp"

#include <string_view>

namespace brewery::osworld {

/// active_url_from_accessTree, active_tab_url_parse, url_dashPart,
/// url_path_parse and macys_product_url_parse.
bool is_address_getter(std::string_view type);

/// Null: None. Error ec::malformed: where the official getter raises. The tree
/// is that of Chrome, or where it shows none, of Chromium, which the official
/// getter takes on machines with ARM alone.
result<json> address_value(const json& config, std::string_view tree);

} // namespace brewery::osworld
