#pragma once
/// csv.DictReader over an open text file, with the dialect "excel". Pure.
/// Source: Python 3.11, Modules/_csv.c and csv.py.

#include "base/result.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace brewery::osworld {

/// Fields by name; one that the row lacks is null. Values beyond the names are
/// left out.
using csv_record =
    std::vector<std::pair<std::string, std::optional<std::string>>>;

/// Error ec::malformed: a field is longer than csv.field_size_limit.
result<std::vector<csv_record>> py_csv_records(std::string_view text);

} // namespace brewery::osworld
