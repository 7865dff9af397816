#pragma once
/// The rubrics for a judge on a model: general habits of an agent, each with a
/// positive and a negative example. TOML, one [[rubric]] each:
///
///   [[rubric]]
///   name = "verifies what it did"
///   asks = "After a change, did the agent make sure ...?"
///   kept = "..."
///   broken = "..."

#include "base/result.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace brewery {

struct rubric {
  std::string name; ///< used in ratings
  std::string asks;
  std::string kept;
  std::string broken;
};

/// Error ec::malformed: no rubric, a member that is missing, empty, unknown or
/// not a string, or two rubrics of the same name. The message names `file`, the
/// line and the key.
result<std::vector<rubric>> parse_rubrics(std::string_view text,
                                          std::string_view file);

/// Reads a file; with an empty path, the built-in rubrics (config/rubrics).
result<std::vector<rubric>> load_rubrics(const std::filesystem::path& file);

/// The text for the judge's prompt.
std::string rubrics_text(const std::vector<rubric>& rubrics);

} // namespace brewery
