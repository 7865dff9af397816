#pragma once
/// The lists that config_rules() joins, by what they are about.

#include "config/rules.hpp"

#include <string>
#include <utility>
#include <vector>

namespace brewery {

/// What a rule answers: the problem if it is broken.
inline std::string say_if(bool broken, std::string what) {
  return broken ? std::move(what) : std::string{};
}

std::vector<config_rule> environment_rules();
std::vector<config_rule> role_rules();

} // namespace brewery
