#pragma once
/// Grades by OSWorld's own evaluators, in a Python process for each grade that
/// is killed at its deadline. The user names the interpreter and the checkout;
/// the checkout's commit is part of the benchmark's fingerprint. The process
/// reads one line of JSON and writes one:
///
///   {"task": {...}, "checkout": "...", "cache_dir": "...", "host": "...",
///    "server_port": 5000, "chromium_port": 9222, "vlc_port": 8080,
///    "token": "..."}
///   {"score": 0.5} or {"error": "..."}

#include "envs/osworld/guest/guest_address.hpp"
#include "envs/osworld/tasks/task.hpp"
#include "messages/rollout_msgs.hpp"

#include <chrono>
#include <filesystem>
#include <map>

namespace brewery::osworld {

struct official_evaluators {
  std::string program; ///< the text of what is run (official_grade.py)
  std::filesystem::path checkout; ///< with desktop_env
  std::string python = "python3";
  std::chrono::milliseconds deadline{300'000};
};

/// The commit of a checkout, or the hash of its evaluators if it has no git
/// directory. Error ec::not_found: there are no evaluators in it.
result<std::string> evaluators_version(const std::filesystem::path& checkout);

/// `saved` are outputs of setup steps, by name. Error ec::environment: it could
/// not be graded.
result<grade_report>
evaluate_officially(const official_evaluators& how, const desktop_task& task,
                    const guest_address& at,
                    const std::map<std::string, std::string>& saved);

} // namespace brewery::osworld
