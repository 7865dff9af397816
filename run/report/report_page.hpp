#pragma once
/// The first page of report.md: what came out, of which run, where it helps,
/// what to do next. PURE.

#include "run/results.hpp"

#include <filesystem>
#include <string>

namespace brewery {

/// Text from outside, for a cell of a Markdown table.
std::string markdown_cell(const std::string& text);

/// More backticks than there are anywhere in a row in it, `least` at least:
/// what it can stand between.
std::string backticks_around(const std::string& text, std::size_t least);

/// How commands name a run: by its id if they find it in `runs`, where they
/// look without further options; else by its path.
std::string name_for_commands(const std::filesystem::path& run,
                              const std::filesystem::path& runs);

/// One paragraph: whether the published knowledge base helps, with its numbers.
std::string verdict_text(const run_summary& summary);

/// Commands that follow from the results, one line each.
std::vector<std::string> next_steps(const run_summary& summary);

std::string first_page(const run_summary& summary);

} // namespace brewery
