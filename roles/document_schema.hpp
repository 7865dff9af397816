#pragma once
/// The parts a document has, by benchmark: the paper's examples have four for
/// OSWorld and a fifth, why, for tau2 (papers/000, appendix C).

#include <string>
#include <string_view>
#include <vector>

namespace brewery {

struct document_part {
  std::string heading; ///< the whole line, e.g. "### How to perform"
  std::string asks;    ///< what belongs there, for the integrator's prompt
};

/// In the order of the document. OSWorld's have no why; all others have.
const std::vector<document_part>& document_parts(std::string_view benchmark);

} // namespace brewery
