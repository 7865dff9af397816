#include "roles/muse/procedural_verifier.hpp"

#include "messages/json.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace brewery {

namespace {

/// The first claimed call that the try did not make, or that failed.
std::string untrue_call(const sub_task_claim& claim,
                        const std::vector<trajectory_step>& steps) {
  std::size_t at = claim.first_step;
  for (const auto& tool : claim.tools) {
    while (at < steps.size() && steps[at].tool != tool)
      ++at;
    if (at == steps.size())
      return fmt::format("{} was claimed and not called", tool);
    if (steps[at].failed) return fmt::format("{} failed", tool);
    ++at;
  }
  return {};
}

bool has(const std::vector<std::string>& lines, const std::string& line) {
  return std::ranges::find(lines, line) != lines.end();
}

} // namespace

sub_task_verdict verify(const sub_task_claim& claim,
                        const std::vector<trajectory_step>& steps,
                        const line_probe& probe, const line_memory& seen) {
  sub_task_verdict out;
  out.report = untrue_call(claim, steps);
  if (!out.report.empty()) return out;
  // Of every look that matters, what was told and what is so.
  const auto check = [&](const condition& what, bool gone,
                         bool was_told) -> std::string {
    const auto told = seen(what.observation);
    if (was_told && !told)
      return fmt::format("`{}` was not looked at", what.observation);
    if (was_told && has(*told, what.line) == gone)
      return fmt::format("`{}` {} {}", what.observation,
                         gone ? "still shows" : "does not show",
                         json_quoted(what.line));
    const auto now = probe(what.observation);
    if (!now) return {};
    ++out.probes;
    if (has(*now, what.line) == gone)
      return fmt::format("a fresh look, `{}`, {} {}", what.observation,
                         gone ? "still shows" : "does not show",
                         json_quoted(what.line));
    return {};
  };
  out.report = check(claim.shows, claim.gone, true);
  for (const auto& kept : claim.kept)
    if (out.report.empty()) out.report = check(kept, false, false);
  if (!out.report.empty()) return out;
  out.met = true;
  out.report = fmt::format("`{}` {} {}", claim.shows.observation,
                           claim.gone ? "no longer shows" : "shows",
                           json_quoted(claim.shows.line));
  return out;
}

} // namespace brewery
