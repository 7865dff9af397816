#include "config/declare.hpp"

namespace brewery {

option_section economy_section() {
  section_of<economy_options> s{
      &config::economy, "economy",
      "Rollouts that a search need not make. With all of these off a run is "
      "algorithm 1 of the paper."};
  s.add(&economy_options::bounds, "bounds",
        "Stop scoring a candidate that cannot become the best of its tree any "
        "more, whatever its open rollouts bring. Its score is completed if a "
        "later choice hangs on it, so the documents are the same.");
  s.add(&economy_options::wave, "wave",
        "Number of rollouts of each candidate between two looks at the bounds "
        "or the race, the tasks that earlier versions failed most first. Small "
        "waves save more, large ones keep more slots busy.",
        {.unit = "rollouts", .min = 1, .max = 1000000});
  s.add(
      &economy_options::racing, "racing",
      "Stop scoring a candidate that is probably worse than another of its "
      "expansion. This is the error: the largest share of expansions in which "
      "the best candidate may be the one that stops. Tasks are played in a "
      "random order then. 0: no racing.",
      {.min = 0, .max = 0.5});
  s.add(&economy_options::reuse, "reuse",
        "Whether a rollout is played if the agent would read the same as in an "
        "earlier one of the same task and trial, or of any trial if it drew "
        "nothing there. \"run\": the earlier one of this run stands. "
        "\"sweep\": also one that another run of the sweep had played when "
        "this one began. Needs an agent that repeats itself: procedural, "
        "scripted, or on a model at temperature 0, and not on a desktop "
        "(docs/economy.md).",
        {.choices = {"off", "run", "sweep"}});
  s.add(&economy_options::reuse_from, "reuse_from",
        "Earlier runs whose rollouts may stand as well: ids of runs beside "
        "this one, or folders. They need the same tasks, agent, retrieval and "
        "run.seed.");
  s.add(&economy_options::audit_reuse, "audit_reuse",
        "Share of the rollouts that could be reused which are played all the "
        "same and compared. 1: all, so nothing is saved.",
        {.min = 0, .max = 1});
  s.add(&economy_options::confirm, "confirm",
        "Number of fresh rollouts of each held-out task before a version with "
        "a better score replaces the published document of its tree, and as "
        "many of that document. It replaces it only if it is not worse there. "
        "0: the better score decides. With search.publish_newest none is "
        "confirmed.",
        {.unit = "rollouts", .min = 0, .max = 1000});
  s.add(&economy_options::rescore, "rescore",
        "After other documents of the knowledge base changed, score the best "
        "version of a tree again beside them, and every other whose old score "
        "is better than its new one. The new score replaces the old one.");
  return s.take();
}

} // namespace brewery
