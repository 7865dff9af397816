#pragma once
/// Checks a sub-task without a language model and without a grade: every claim
/// must trace to what a tool answered, a fresh probe must show the goal, and no
/// line that is known as a goal may have gone (MUSE, arXiv:2510.08002, section
/// 3.4: truthfulness, deliverable, data fidelity). It proves effects, not that
/// they are good. Where the environment cannot be probed, the trajectory alone
/// is the evidence.

#include "envs/environment.hpp"
#include "roles/procedural/rule_text.hpp"

#include <functional>
#include <string>
#include <vector>

namespace brewery {

/// What a try says it has done.
struct sub_task_claim {
  std::size_t first_step = 0;     ///< of the try, in the trajectory
  std::vector<std::string> tools; ///< that it says it has called, in order
  condition shows;                ///< holds now
  bool gone = false;              ///< `shows` does not hold any more, instead
  /// These held before the try, and hold still.
  std::vector<condition> kept;
};

struct sub_task_verdict {
  bool met = false;
  std::string report; ///< one line
  std::uint32_t probes = 0;
};

/// How the verifier looks: the lines that a look reports now, by a probe.
/// Empty: this cannot be probed.
using line_probe =
    std::function<std::optional<std::vector<std::string>>(const std::string&)>;

/// The lines that a look last reported in the trajectory.
using line_memory =
    std::function<std::optional<std::vector<std::string>>(const std::string&)>;

sub_task_verdict verify(const sub_task_claim& claim,
                        const std::vector<trajectory_step>& steps,
                        const line_probe& probe, const line_memory& seen);

} // namespace brewery
