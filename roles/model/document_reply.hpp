#pragma once
/// Parses the integrator's reply strictly: Markdown with the parts of the
/// benchmark's documents. Citations become evidence. Errors are ec::malformed,
/// with a text that can be sent back to the model. Pure; safe on any bytes.

#include "base/result.hpp"
#include "messages/kb_msgs.hpp"
#include "roles/model/document_schema.hpp"

#include <map>
#include <string_view>

namespace brewery {

/// The evidence of points, by their words (`words_of_point`).
using point_evidence = std::map<std::string, std::vector<insight_id>>;

struct document_request {
  std::string title; ///< becomes the first line, "# Title"
  const std::vector<document_part>& parts;
  std::vector<insight_id> insights; ///< number n of the prompt is element n - 1
  /// Of the parent: a point that is repeated keeps it, cited or not.
  point_evidence known{};
};

/// The words of a line: without list marker, upper case and further spaces.
std::string words_of_point(std::string_view line);

/// The evidence of a document's points.
point_evidence evidence_of_points(std::string_view body,
                                  const std::vector<line_evidence>& evidence);

/// Parses a reply; the result's `id` stays empty. Removes words and a title
/// before the first heading and a code fence around the document, and corrects
/// the spelling of headings. Removes
/// citations, "[i2]" or "[i1, i7]" outside code; a line without any has the
/// evidence of the parent's equal point, or none. Error ec::malformed: a part
/// is missing, empty, out of order or repeated, or a citation names no insight
/// of the list.
result<integrate_result> read_document(std::string_view reply,
                                       const document_request& wanted);

} // namespace brewery
