#include "config/declare.hpp"

namespace brewery {

option_section agent_kb_section() {
  using options = agent_kb_options;
  section_of<options> s{&config::agent_kb, "agent_kb",
                        "The learner Agent KB (search.learner)."};
  s.add(&options::rounds, "rounds",
        "Number of times that all train tasks are attempted with the memory, "
        "each with a barrier that credits, adds and evicts; 0: only the "
        "abstraction of the first attempts.",
        {.unit = "rounds", .min = 0, .max = 1000});
  s.add(&options::k, "k", "Number of experiences that one retrieval finds.",
        {.unit = "experiences", .min = 1, .max = 100});
  s.add(&options::alpha, "alpha",
        "Share of words in the score of a retrieval; the rest is vectors.",
        {.min = 0, .max = 1});
  s.add(&options::duplicate, "duplicate",
        "Cosine of two problems above which the experiences are one if the "
        "steps of one are in the other; the better one stays. The paper's is "
        "0.8.",
        {.min = 0, .max = 1});
  s.add(&options::gate, "gate",
        "Minimum cosine of a refined plan and the plan before; below, the "
        "refinement is not applied. 0: no gate. The paper's is 0.8.",
        {.min = 0, .max = 1});
  s.add(&options::learning_rate, "learning_rate",
        "How far one outcome moves the quality of the experiences that were "
        "used.",
        {.min = 0, .max = 1});
  s.add(&options::first_quality, "first_quality",
        "Quality of an experience that was not used yet.",
        {.min = 0, .max = 1});
  s.add(&options::decay, "decay",
        "How fast the utility of an experience falls with each finished "
        "attempt that does not use it.",
        {.min = 0, .max = 10});
  s.add(&options::least_utility, "least_utility",
        "An experience with no more utility is evicted at the next barrier.",
        {.min = 0, .max = 1});
  s.add(&options::capacity, "capacity",
        "Maximum number of experiences after a barrier; 0: no limit.",
        {.unit = "experiences", .min = 0, .max = 1000000});
  s.add(&options::conflicts, "conflicts",
        "What happens to two experiences of one problem with other steps: both "
        "stay (keep), the one that served better stays (select), or an arbiter "
        "makes one of both if they are compatible, and else the better one "
        "stays (merge).",
        {.choices = {agent_kb_conflicts::keep, agent_kb_conflicts::select,
                     agent_kb_conflicts::merge}});
  s.add(&options::compatible, "compatible",
        "With conflicts = \"merge\": compatibility of two experiences above "
        "which they become one.",
        {.min = 0, .max = 1});
  s.add(&options::survey, "survey",
        "Whether the agent looks around once before planning, without "
        "knowledge and without a grade. Its calls are counted. Only a "
        "procedural agent does.");
  s.add(&options::lessons, "lessons",
        "Whether the integrator first writes rules from all train attempts, "
        "which the abstraction of one attempt is given. The procedural "
        "abstraction makes nothing without.");
  s.add(&options::reason, "reason",
        "Whether a task is condensed to search terms; off: its text is the "
        "query, before the second attempt with the last lines of the log.");
  s.add(&options::retrieve, "retrieve",
        "Whether experiences are retrieved; off: there is no guidance.");
  s.add(&options::refine, "refine",
        "Whether the experiences that were found become guidance; off: the "
        "agent gets them as they are.");
  s.add(&options::planning, "planning",
        "Whether there is guidance before the first attempt.");
  s.add(&options::feedback, "feedback",
        "Whether there is a second attempt, with guidance that a review of the "
        "first one's log refined.");
  s.add(&options::start_from, "start_from",
        "Directory of documents that the memory begins with, e.g. the kb/ of "
        "another run: experiences as they are, other documents by their lines. "
        "Relative to the working directory; empty: none.");
  s.add(&options::learn, "learn",
        "Whether train tasks are attempted and learned from; off: the memory "
        "is what start_from has, and is only evaluated.");
  s.add(&options::compare, "compare",
        "Additional arms of the final evaluation: the first attempts alone "
        "(planning), a second attempt with the first one's guidance "
        "(planning-retry), two attempts without knowledge (retry).",
        {.choices = {agent_kb_arms::planning, agent_kb_arms::blind_retry,
                     agent_kb_arms::retry}});
  return s.take();
}

option_section memory_port_section() {
  using options = memory_port_options;
  section_of<options> s{&config::memory_port, "memory_port",
                        "A memory in a child process: the baseline "
                        "memory-port (docs/learners.md has the contract)."};
  s.add(&options::command, "command",
        "Program and arguments, e.g. [\"python3\", \"memory.py\"]. A single "
        "string is split as a shell does.");
  s.add(&options::package, "package",
        "Name and version of the package, e.g. \"cognee 1.6.5\", as the child "
        "must say them; tables have this name.");
  s.add(&options::pass_env, "pass_env",
        "Environment variables passed to the child process, by name, in "
        "addition to PATH, HOME, LANG and TMPDIR.");
  s.add(&options::hits, "hits", "Number of texts asked for of each task.",
        {.unit = "texts", .min = 1, .max = 1000});
  s.add(&options::start_timeout_ms, "start_timeout_ms",
        "Time limit for the child process to start.",
        {.unit = "ms", .min = 1, .max = timeout_max_ms});
  s.add(&options::ingest_timeout_ms, "ingest_timeout_ms",
        "Time limit for taking up to 50 texts. After it, the child process is "
        "killed and the run fails; it can be resumed.",
        {.unit = "ms", .min = 1, .max = timeout_max_ms});
  s.add(&options::search_timeout_ms, "search_timeout_ms",
        "Time limit for finding the texts of one task.",
        {.unit = "ms", .min = 1, .max = timeout_max_ms});
  return s.take();
}

} // namespace brewery
