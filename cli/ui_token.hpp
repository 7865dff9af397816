#pragma once
/// The token that pages ask for beyond this machine.

#include "base/result.hpp"

#include <string>

namespace brewery {

/// What is in the file, which only its owner may read, else what
/// BREWERY_UI_TOKEN has; empty: none.
result<std::string> ui_token(const std::string& file);

} // namespace brewery
