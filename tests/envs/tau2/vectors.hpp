#pragma once
/// Recorded answers of the reference implementation: where they are, reading
/// gzip lines, and how a result text compares.

#include "envs/environment.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace brewery::test {

/// $BREWERY_TEST_DATA, else ../shared/data next to the checkout.
std::filesystem::path data_root();

/// The tau2-bench folder of the data root, or empty (with a message on
/// standard error) when it is absent.
std::filesystem::path tau2_data();

struct vector_file {
  std::filesystem::path path;
  std::string domain; ///< part of the name before the last '_'
  std::vector<json> records;
};

/// Every *.jsonl.gz below `folder`, by name.
std::vector<vector_file> read_vectors(const std::filesystem::path& folder);

/// Equal texts; for errors whose words come from the library that checks
/// models, the failure alone must agree.
bool texts_agree(const json& recorded, const tool_result& ours);

} // namespace brewery::test
