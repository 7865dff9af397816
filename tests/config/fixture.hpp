#pragma once
/// Loading without a disk: the file's text is an argument and the working
/// directory is a name.

#include "config/load.hpp"

#include <string>
#include <vector>

namespace brewery::test {

inline load_request request(std::vector<std::string> overrides = {}) {
  return {.file = "conf/a.toml",
          .overrides = std::move(overrides),
          .environment = {},
          .working_directory = "/site"};
}

/// A file of the given text, with `--set` overrides.
inline loaded_config load(const std::string& text,
                          std::vector<std::string> overrides = {}) {
  return parse_config(text, request(std::move(overrides)));
}

inline std::vector<std::string> messages(const loaded_config& loaded) {
  std::vector<std::string> out;
  for (const auto& problem : loaded.problems)
    out.push_back(problem.message);
  return out;
}

} // namespace brewery::test
