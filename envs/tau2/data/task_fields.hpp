#pragma once
/// Reads members of a task file, with errors that give the place. Used only by
/// the readers of tasks, criteria, scenarios and splits.

#include "envs/environment.hpp"
#include "envs/tau2/data/text_file.hpp"

#include <optional>

namespace brewery::tau2 {

/// The place of a value in the task file, for errors. Refers to names that must
/// outlive it.
struct task_place {
  const std::string& file;
  const std::string& task;
  std::string field;

  [[nodiscard]] task_place at(std::string_view name) const;
  [[nodiscard]] task_place at(std::size_t index) const;
  [[nodiscard]] error fail(std::string_view what) const;
};

/// A member that is present and not null; nullptr otherwise.
const json* value_of(const json& object, const char* name);

result<void> read_text(const json& object, const char* name,
                       const task_place& where, std::string& out,
                       bool required = true);

/// A member that may be missing or null.
result<void> read_text(const json& object, const char* name,
                       const task_place& where,
                       std::optional<std::string>& out);

/// A list of strings.
result<void> read_texts(const json& value, const task_place& where,
                        std::vector<std::string>& out);

/// The member `arguments`, an object.
result<void> read_arguments(const json& object, const task_place& where,
                            json& out);

/// "assistant" or "user".
result<void> check_side(const std::string& side, const char* name,
                        const task_place& where);

template <class T>
result<void>
read_list(const json& value, const task_place& where, std::vector<T>& out,
          result<void> (*read)(const json&, const task_place&, T&)) {
  if (!value.is_array()) return where.fail("must be a list");
  for (std::size_t i = 0; i < value.size(); ++i)
    if (auto ok = read(value[i], where.at(i), out.emplace_back()); !ok)
      return ok.error();
  return {};
}

/// The whole file; a syntax error names file, line and column.
result<json> parse_json(const text_file& file);
/// Error ec::malformed for a syntax error: "FILE:LINE:COLUMN: is not JSON:
/// CAUSE".
error not_json(const text_file& file, const json::parse_error& broken);

} // namespace brewery::tau2
