#pragma once
/// The integrator's reply, read strictly: Markdown with the parts of the
/// benchmark's documents, whose citations become evidence. Errors are
/// ec::malformed, in words that are sent back to the model. Pure; safe on any
/// bytes.

#include "base/result.hpp"
#include "messages/kb_msgs.hpp"
#include "roles/document_schema.hpp"

#include <string_view>

namespace brewery {

struct document_request {
  std::string title; ///< becomes the first line, "# Title"
  const std::vector<document_part>& parts;
  std::vector<insight_id> insights; ///< number n of the prompt is [n - 1]
};

/// `id` stays empty. A title of the reply and a code fence around all of it are
/// dropped, headings get their exact spelling. Citations, "[i2]" or "[i1, i7]"
/// outside code, are taken out; a line without any has no evidence. An error
/// when a part is missing, empty, out of order or given twice, or a citation
/// names no insight of the list.
result<integrate_result> read_document(std::string_view reply,
                                       const document_request& wanted);

} // namespace brewery
