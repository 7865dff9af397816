#pragma once
/// Shows the evidence of a document's lines: the insights, how often each was
/// made, and the rollouts that it comes from.

#include "kb/manifest.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace brewery {

/// The body. Below each line that has evidence follows one line per insight:
///     <- 12x Turn the radio on. (task-a 1f0c52aa, task-b 9d21e7c0, ...)
std::string annotated(std::string_view body, const manifest_document& about,
                      bool colour);

/// Each line of the body as an object: `line`, `text`, and `insights` if it has
/// any. `about` may be null.
nlohmann::ordered_json lines_json(std::string_view body,
                                  const manifest_document* about);

} // namespace brewery
