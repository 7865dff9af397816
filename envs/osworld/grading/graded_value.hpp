#pragma once
/// What getters give and metrics compare: the official ones pass Python values
/// and paths of files; here a file is its content. A plain value.

#include "base/json.hpp"
#include "base/result.hpp"

#include <optional>
#include <string>
#include <vector>

namespace brewery::osworld {

struct graded_value {
  enum class form : std::uint8_t {
    none,  ///< Python's None: nothing there
    data,  ///< text, number, list or object
    file,  ///< one file
    files, ///< a list of files, of which some may be missing
  };
  form is = form::none;
  json data{};
  std::vector<std::optional<std::string>> files{}; ///< contents

  static graded_value of_data(json value) {
    return {value.is_null() ? form::none : form::data, std::move(value), {}};
  }
  static graded_value of_file(std::optional<std::string> content) {
    if (!content) return {};
    return {form::file, {}, {std::move(content)}};
  }
};

/// A score in [0, 1], or where the official metric raises an exception,
/// ec::malformed: what it was. Error ec::exhausted: it would take too long.
using metric_score = result<double>;

inline error raises(std::string what) {
  return {ec::malformed, std::move(what)};
}

} // namespace brewery::osworld
