#pragma once
/// The parts of a document, by benchmark. The paper's examples have four parts
/// for OSWorld and a fifth, why, for tau2. Those for spreadsheets list
/// approaches, edge cases and quality checks (BREW, arXiv:2511.20297, appendix
/// C).

#include <string>
#include <string_view>
#include <vector>

namespace brewery {

struct document_part {
  std::string heading; ///< the whole line, e.g. "### How to perform"
  std::string asks;    ///< the content of the part, for the integrator's prompt
};

/// The parts, in the order of the document.
const std::vector<document_part>& document_parts(std::string_view benchmark);

} // namespace brewery
