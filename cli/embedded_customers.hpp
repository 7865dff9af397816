#pragma once
/// The customers of examples/telecom, compiled in, so that `brewery generate`
/// needs no checkout. cmake/embed_text.cmake generates the definition.

#include "base/embedded_text.hpp"

#include <vector>

namespace brewery {

/// db.toml and user_db.toml.
const std::vector<embedded_text>& embedded_customers();

} // namespace brewery
