#pragma once
/// The members of a model's reply that make an experience, and how they are
/// read, within bounds. PURE.

#include "base/json.hpp"
#include "kb/experience/experience.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace brewery {

/// Bounds of what a model may say in one reply.
inline constexpr std::size_t reply_lines_max = 60;
inline constexpr std::size_t reply_line_bytes_max = 1000;

nlohmann::ordered_json line_schema(std::size_t least = 1);
nlohmann::ordered_json lines_schema(std::size_t least = 0);

/// Title, problem, goal, steps, failures and difficulty.
nlohmann::ordered_json experience_members();

/// The lines of a list, each single, short and not empty; no more than allowed.
std::vector<std::string> lines_of(const json& list);

/// Without what the caller knows: domain, tools and tasks.
experience experience_in(const json& reply);

} // namespace brewery
