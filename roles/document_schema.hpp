#pragma once
/// The parts a document has, by benchmark: the paper's examples have four for
/// OSWorld and a fifth, why, for tau2; those for spreadsheets list approaches,
/// edge cases and quality checks (papers/000, appendix C).

#include <string>
#include <string_view>
#include <vector>

namespace brewery {

struct document_part {
  std::string heading; ///< the whole line, e.g. "### How to perform"
  std::string asks;    ///< what belongs there, for the integrator's prompt
};

/// In the order of the document.
const std::vector<document_part>& document_parts(std::string_view benchmark);

} // namespace brewery
