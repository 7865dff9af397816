#pragma once
/// The modules of the service, compiled in. cmake/embed_text.cmake generates
/// the definition.

#include "base/embedded_text.hpp"

#include <vector>

namespace brewery::sentence {

const std::vector<embedded_text>& sentence_modules();

} // namespace brewery::sentence
