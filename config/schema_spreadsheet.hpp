#pragma once
/// The part of [environment] that is for spreadsheets; private to
/// config/schema*.cpp.

#include "config/declare.hpp"

namespace brewery {

void add_spreadsheet_options(section_of<environment_options>& section);

} // namespace brewery
