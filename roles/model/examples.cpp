#include "roles/model/examples.hpp"

#include "roles/model/reply_text.hpp"
#include "roles/model/token_estimate.hpp"
#include "roles/model/trajectory_text.hpp"

#include <fmt/format.h>

namespace brewery {

namespace {

/// Short observations: the calls matter more.
constexpr step_text_limits example_limits{600, 600, false};

} // namespace

std::vector<std::string>
example_documents(const std::vector<example_attempt>& attempts) {
  std::vector<std::string> out;
  for (const auto& attempt : attempts)
    out.push_back(fmt::format(
        "# Example\n\nThe task:\n\n{}\n\nWhat was done:\n\n{}",
        attempt.instruction, steps_text(attempt.steps, example_limits)));
  return out;
}

std::vector<std::string> examples_within(std::vector<std::string> texts,
                                         std::uint32_t tokens) {
  std::vector<std::string> out;
  std::size_t left = bytes_per_token * std::size_t{tokens};
  for (auto& text : texts) {
    if (text.size() > left) continue;
    left -= text.size();
    out.push_back(std::move(text));
  }
  return out;
}

} // namespace brewery
