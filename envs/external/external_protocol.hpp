#pragma once
/// The protocol of docs/environments.md, pure: makes request lines and reads
/// reply lines. A reply is either valid in every field, or an error that names
/// the field. Unknown fields are ignored.

#include "envs/environment.hpp"

#include <optional>

namespace brewery::external {

/// Limit for names of tools, parameters, tasks and splits.
inline constexpr std::size_t name_bytes_max = 200;

inline constexpr int protocol_version = 1;

struct hello_reply {
  std::string name;
  std::string fingerprint; ///< the child's own, of data and graders
  std::vector<task_info> tasks;
  /// Indices into tasks.
  std::map<std::string, std::vector<std::size_t>> splits;
  std::optional<std::vector<tool_spec>> tools; ///< shared by all tasks
  bool conversation = false;  ///< the agent's words go to the child
  std::uint32_t sessions = 1; ///< concurrent rollouts
};

struct reset_reply {
  std::optional<std::vector<tool_spec>> tools; ///< of this task
  std::string briefing;
  std::string opening;
};

struct step_reply {
  std::vector<tool_result> results; ///< one per call
  std::string reply;
  bool over = false;
  /// What others did after the agent's calls and before `reply`.
  std::vector<trajectory_step> events;
};

// Makes a request without its line end. Invalid UTF-8 is repaired.
std::string hello_request(std::uint64_t id);
std::string reset_request(std::uint64_t id, std::uint64_t session,
                          const task_id& task);
std::string step_request(std::uint64_t id, std::uint64_t session,
                         const turn& move);
std::string grade_request(std::uint64_t id, std::uint64_t session);
std::string close_request(std::uint64_t id, std::uint64_t session);

/// The object `result` in the reply line to request `id`. Errors:
/// ec::environment if the child reports a failure, ec::malformed if the line is
/// no reply to that request.
result<json> read_reply(std::string_view line, std::uint64_t id);

// Read `result`'s object. Every error is one line and is ec::malformed or
// ec::version_mismatch.
result<hello_reply> read_hello(const json& from);
result<reset_reply> read_reset(const json& from);
result<step_reply> read_step(const json& from, std::size_t calls);
result<grade_report> read_grade(const json& from);

} // namespace brewery::external
