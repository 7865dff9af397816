#include "config/declare.hpp"

namespace brewery {

option_section economy_section() {
  section_of<economy_options> s{
      &config::economy, "economy",
      "Work that a run leaves out because its outcome is known. With "
      "everything off, a run is the paper's algorithm 1."};
  s.add(&economy_options::reuse, "reuse",
        "Whether a rollout of an evaluation is played if the agent would read "
        "the same as in an earlier one of the same task and trial. \"run\": "
        "the earlier one of this run stands. Needs an agent that repeats "
        "itself: procedural, scripted, or on a model at temperature 0 "
        "(docs/economy.md).",
        {.choices = {"off", "run"}});
  s.add(&economy_options::audit_reuse, "audit_reuse",
        "Share of the rollouts that could be reused which are played all the "
        "same and compared. 1: all, so nothing is saved.",
        {.min = 0, .max = 1});
  return s.take();
}

} // namespace brewery
