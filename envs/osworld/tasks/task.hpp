#pragma once
/// One task of OSWorld in its official JSON format (evaluation_examples/
/// examples/DOMAIN/ID.json). Plain values, immutable once loaded; owned by the
/// benchmark. Unknown fields are ignored, as the official loader does.

#include "base/ids.hpp"
#include "base/json.hpp"
#include "base/result.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace brewery::osworld {

/// A step of `config` or `postconfig`.
struct setup_step {
  std::string type;
  json parameters = json::object();
};

/// The longest that a step `sleep` may wait.
inline constexpr double sleep_s_most = 600;

/// A text or a list of texts, not empty.
bool is_command(const json& value);

/// One metric with the getters of what it compares.
struct metric_use {
  std::string function;
  std::optional<json> result;   ///< a getter's configuration
  std::optional<json> expected; ///< likewise
  json options = json::object();
};

struct evaluator {
  std::vector<metric_use> metrics; ///< empty only if `infeasible`
  bool infeasible = false;         ///< only FAIL as the last action scores
  bool any = false;                ///< one metric is enough ("conj": "or")
  /// "func" is a list: scores are combined. Otherwise a single metric's score
  /// is the task's.
  bool list = false;
  std::vector<setup_step> postconfig;
};

struct desktop_task {
  task_id id;
  std::string domain; ///< the folder: "os", "libreoffice_calc"
  std::string instruction;
  std::vector<setup_step> config;
  evaluator graded;
  std::string text; ///< the file, for the official evaluators
};

inline constexpr std::size_t task_bytes_most = std::size_t{1} << 20;

/// Reads one task file. Error ec::malformed: one line with the place and what
/// is wrong.
result<desktop_task> parse_task(const std::string& text,
                                const std::string& domain);

} // namespace brewery::osworld
