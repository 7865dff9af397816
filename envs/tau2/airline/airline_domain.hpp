#pragma once
/// tau2-bench's airline domain: customers, flights of one month and
/// reservations. A simulated user has no tools. Loads the official data
/// unchanged.

#include "envs/tau2/domain.hpp"

#include <filesystem>

namespace brewery::tau2 {

/// Reads DIRECTORY/db.json. Errors name file, table, record and member.
result<std::shared_ptr<const domain>>
load_airline(const std::filesystem::path& directory);

/// The same from text already read.
result<std::shared_ptr<const domain>> parse_airline(const text_file& db);

} // namespace brewery::tau2
