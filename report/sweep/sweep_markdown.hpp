#pragma once
/// A sweep as Markdown, for repositories and mail. PURE.

#include "report/sweep/sweep_figures.hpp"

#include <string_view>

namespace brewery {

inline constexpr std::string_view sweep_title = "# Sweep ";

/// The sentences and tables of the page (report/sweep/sweep_page.hpp) without
/// its pictures. Everything from outside is shown as it is written.
std::string sweep_markdown(const sweep_figures& sweep);

} // namespace brewery
