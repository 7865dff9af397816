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
        "Number of rollouts of each candidate between two looks at the bounds, "
        "the tasks that earlier versions failed most first. Small waves save "
        "more, large ones keep more slots busy.",
        {.unit = "rollouts", .min = 1, .max = 1000000});
  return s.take();
}

} // namespace brewery
