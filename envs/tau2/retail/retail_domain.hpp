#pragma once
/// tau2-bench's retail domain: products with their variants, customers and
/// orders. A simulated user has no tools. Loads the official data unchanged.

#include "envs/tau2/domain.hpp"

#include <filesystem>

namespace brewery::tau2 {

/// Reads DIRECTORY/db.json. Errors name file, table, record and member.
result<std::shared_ptr<const domain>>
load_retail(const std::filesystem::path& directory);

/// The same from text already read.
result<std::shared_ptr<const domain>> parse_retail(const text_file& db);

} // namespace brewery::tau2
