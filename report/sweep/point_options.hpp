#pragma once
/// In which options the points of a sweep differ. PURE.

#include "config/config.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace brewery {

using named_values = std::vector<std::pair<std::string, std::string>>;

/// For each configuration the options in which any two differ, as key and TOML
/// value, in the order of files. Not `run.*`: no result depends on it but
/// through the seed, which is no point of its own.
std::vector<named_values>
differing_options(const std::vector<const config*>& points);

} // namespace brewery
