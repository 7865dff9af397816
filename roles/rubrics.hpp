#pragma once
/// The rubrics a judge on a model rates: general habits of an agent, each with
/// an example of the habit kept and of it broken. TOML, one [[rubric]] each:
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
  std::string name; ///< as ratings name it
  std::string asks;
  std::string kept;
  std::string broken;
};

/// Errors, ec::malformed, name `file`, line and key: no rubric at all, a member
/// that is missing, empty, unknown or no string, two of one name.
result<std::vector<rubric>> parse_rubrics(std::string_view text,
                                          std::string_view file);

/// From a file; empty path: those compiled in (config/rubrics).
result<std::vector<rubric>> load_rubrics(const std::filesystem::path& file);

/// As the judge's prompt shows them.
std::string rubrics_text(const std::vector<rubric>& rubrics);

} // namespace brewery
