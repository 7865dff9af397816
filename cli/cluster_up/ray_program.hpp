#pragma once
/// ray_workers.py, compiled in: it runs on the python3 of whoever calls, with
/// nothing of ours installed there. cmake/embed_text.cmake generates the
/// definition.

#include "base/embedded_text.hpp"

#include <vector>

namespace brewery {

const std::vector<embedded_text>& ray_program();

} // namespace brewery
