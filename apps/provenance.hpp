#pragma once
/// A document with what each of its lines rests on: which insights, how often
/// each was made, and from which rollouts.

#include "kb/manifest.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace brewery {

/// The body with, below each line that has evidence, one line per insight:
///     <- 12x Turn the radio on. (task-a 1f0c52aa, task-b 9d21e7c0, ...)
std::string annotated(std::string_view body, const manifest_document& about,
                      bool colour);

/// Every line of the body: `line`, `text`, and `insights` where there are any.
/// `about` may be null.
nlohmann::ordered_json lines_json(std::string_view body,
                                  const manifest_document* about);

} // namespace brewery
