#pragma once
/// The first page of report.md: what came out, of which run, where it helps,
/// what to do next. PURE.

#include "run/results.hpp"

#include <string>

namespace brewery {

/// Text from outside, for a cell of a Markdown table.
std::string markdown_cell(const std::string& text);

/// One paragraph: whether the published knowledge base helps, with its numbers.
std::string verdict_text(const run_summary& summary);

/// Commands that follow from the results, one line each.
std::vector<std::string> next_steps(const run_summary& summary);

std::string first_page(const run_summary& summary);

} // namespace brewery
