#pragma once
/// The style sheet of a sweep's page. Light and dark as the reader's system is
/// set; no font or picture is loaded.

#include <string_view>

namespace brewery::sweep_view {

/// CSS without "<", "&" and "]]>", as XML wants it.
extern const std::string_view page_style;

} // namespace brewery::sweep_view
