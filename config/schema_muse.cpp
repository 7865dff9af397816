#include "config/declare.hpp"

namespace brewery {

option_section muse_section() {
  section_of<muse_options> s{
      &config::muse, "muse",
      "The learner MUSE (search.learner = \"muse\"): attempts in plans of "
      "sub-tasks, each checked by itself, with a memory that grows from task "
      "to "
      "task. Others do not read this section."};
  s.add(&muse_options::iterations, "iterations",
        "How often the train tasks are attempted, in their order. The memory "
        "is carried on. 0: it is only evaluated.",
        {.unit = "iterations", .min = 0, .max = 1000});
  s.add(&muse_options::batch, "batch",
        "Number of tasks that are attempted side by side with the same memory "
        "before it is merged. 1 is the paper.",
        {.unit = "tasks", .min = 1, .max = tasks_max});
  s.add(&muse_options::actions_per_try, "actions_per_try",
        "Tool calls of one try of a sub-task (N); a sub-task has two tries.",
        {.unit = "calls", .min = 1, .max = 10000});
  s.add(&muse_options::actions, "actions",
        "Tool calls of all sub-tasks of an attempt. agent.max_calls limits it "
        "too.",
        {.unit = "calls", .min = 1, .max = 100000});
  s.add(&muse_options::explore, "explore",
        "Changing calls that an attempt without a language model may try where "
        "its memory says nothing. agent.explore switches that off.",
        {.unit = "calls", .min = 0, .max = 100000});
  s.add(&muse_options::verify, "verify",
        "Check each sub-task with fresh looks that have no effect. false: what "
        "was done counts as done.");
  s.add(&muse_options::stores, "stores",
        "What an attempt is given of the memory. Leave some out to measure "
        "what they are worth.",
        {.choices = {"strategic", "procedural", "tool"}});
  s.add(&muse_options::grades, "grades",
        "Whether lessons may be drawn from grades of train tasks. Without a "
        "language model nothing else tells good from bad.",
        {.choices = {"train", "never"}});
  s.add(&muse_options::memory, "memory",
        "A directory with the documents of a memory to begin with, such as kb "
        "of another run; empty: nothing.");
  return s.take();
}

} // namespace brewery
