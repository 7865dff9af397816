#pragma once
/// The words of docs/environments.md, pure: requests as lines, replies from
/// lines. A reply is either what it should be, in every field, or an error that
/// names the field; fields that are not known are ignored.

#include "envs/environment.hpp"

#include <optional>

namespace brewery::external {

/// Of names of tools, parameters, tasks, splits.
inline constexpr std::size_t name_bytes_max = 200;

inline constexpr int protocol_version = 1;

struct hello_reply {
  std::string name;
  std::string fingerprint; ///< of data and graders, in the child's own words
  std::vector<task_info> tasks;
  std::map<std::string, std::vector<std::size_t>> splits; ///< into tasks
  std::optional<std::vector<tool_spec>> tools; ///< shared by all tasks
  bool conversation = false;  ///< the agent's words are for the child
  std::uint32_t sessions = 1; ///< rollouts at once
};

struct reset_reply {
  std::optional<std::vector<tool_spec>> tools; ///< of this task
  std::string briefing;
  std::string opening;
};

struct step_reply {
  std::vector<tool_result> results; ///< as many as calls were made
  std::string reply;
  bool over = false;
  /// What others did after the agent's calls and before `reply`.
  std::vector<trajectory_step> events;
};

// Requests, without the line's end. Text that is no UTF-8 is mended.
std::string hello_request(std::uint64_t id);
std::string reset_request(std::uint64_t id, std::uint64_t session,
                          const task_id& task);
std::string step_request(std::uint64_t id, std::uint64_t session,
                         const turn& move);
std::string grade_request(std::uint64_t id, std::uint64_t session);
std::string close_request(std::uint64_t id, std::uint64_t session);

/// What a reply line holds for the request `id`: `result`'s object. Errors:
/// ec::environment when the child says that it failed, ec::malformed when the
/// line is no reply to that request.
result<json> read_reply(std::string_view line, std::uint64_t id);

// From `result`'s object; every error is ec::malformed, or
// ec::version_mismatch, and one line.
result<hello_reply> read_hello(const json& from);
result<reset_reply> read_reset(const json& from);
result<step_reply> read_step(const json& from, std::size_t calls);
result<grade_report> read_grade(const json& from);

} // namespace brewery::external
