#pragma once
/// A prompt of a memory role whose reply is JSON of a schema.

#include "roles/model/model_asker.hpp"

namespace brewery {

/// The reply as JSON that fits the schema, which Brewery wrote, with no text
/// longer than `bytes_max`. Errors: those of `ask_until_read`.
result<json> ask_for_json(const model_asker& ask, const std::string& prompt,
                          const slot_texts& with, const std::string& schema,
                          job_context& context,
                          std::size_t bytes_max = std::string::npos);

/// What becomes of a step whose reply could not be used: nothing, and a note;
/// so the memory stays as it was. Other errors are handed on.
result<memory_result> without_reply(const error& why, job_context& context);

} // namespace brewery
