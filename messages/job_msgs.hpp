#pragma once
/// A unit of work for a worker, and its result, for all kinds. In bytes and in
/// JSON, each kind is a list of its own (base/alternatives.hpp).

#include "base/alternatives.hpp"
#include "messages/grade_msgs.hpp"
#include "messages/kb_msgs.hpp"
#include "messages/memory/memory_msgs.hpp"

#include <array>
#include <memory>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

namespace brewery {

/// The kinds of jobs, which are also what a worker offers. In the order of
/// `job_input`.
enum class job_kind : std::uint8_t { rollout, integrate, embed, grade, memory };
inline constexpr std::size_t job_kind_count = 5;
inline constexpr std::array<const char*, job_kind_count> job_kind_names{
    "rollout", "integrate", "embed", "grade", "memory"};

constexpr std::string_view to_string(job_kind kind) {
  return job_kind_names[static_cast<std::size_t>(kind)];
}
/// Empty for a kind that this build does not know.
constexpr std::optional<job_kind> parse_job_kind(std::string_view name) {
  for (std::size_t i = 0; i < job_kind_count; ++i)
    if (name == job_kind_names[i]) return static_cast<job_kind>(i);
  return std::nullopt;
}

using job_input =
    std::variant<rollout_job, integrate_job, embed_job, grade_job, memory_job>;
/// std::monostate: the job was not done.
using job_output =
    std::variant<std::monostate, rollout_result, integrate_result, embed_result,
                 grade_result, memory_result>;

using task_waves = std::vector<std::vector<task_id>>;

/// Equal work is equal, whatever waits for it.
struct job {
  job_id id;
  job_input input;
  /// How many stages of the search that asks for it come after its own and
  /// cannot begin without it; at least what is usual for its kind
  /// (cluster/job_spec.hpp). Orders a queue (cluster/table/job_table.hpp); no
  /// part of the work, so neither sent to a worker nor logged.
  std::uint32_t stages_after = 0;
  /// Of a rollout: the tasks of further ones, wave after wave, which are no
  /// stage of their own but cannot begin before it is done, if they ever do.
  /// For the queue too. Null: there are none.
  std::shared_ptr<const task_waves> then{};
  static constexpr bool omit_if_empty = true;
  static constexpr bool optional_field(std::string_view field) {
    return field == "grade" || field == "memory";
  }
  static constexpr const char* type_name = "job";
  template <class Self, class F>
  static auto each(Self& self, F&& f) {
    return each_alternative(self.input, job_kind_names, [&](auto... kinds) {
      return f(field{"id", self.id}, kinds...);
    });
  }
  bool operator==(const job& other) const {
    return id == other.id && input == other.input;
  }
};

/// `error` is not empty if the worker could not do the job at all. A failing
/// environment is no such error: it is an outcome of the rollout.
struct job_result {
  job_id id;
  std::string error;
  job_output output;
  static constexpr bool omit_if_empty = true;
  static constexpr bool optional_field(std::string_view field) {
    return field == "grade" || field == "memory";
  }
  static constexpr const char* type_name = "job_result";
  template <class Self, class F>
  static auto each(Self& self, F&& f) {
    return each_alternative(self.output, job_kind_names, [&](auto... kinds) {
      return f(field{"id", self.id}, field{"error", self.error}, kinds...);
    });
  }
  bool operator==(const job_result&) const = default;
};

inline job_kind kind_of(const job& work) {
  return static_cast<job_kind>(work.input.index());
}

template <class Input>
job make_job(Input input) {
  auto id = input.id;
  return {std::move(id), std::move(input)};
}

template <class Output>
job_result make_result(Output output) {
  auto id = output.id;
  return {std::move(id), {}, std::move(output)};
}

} // namespace brewery
