/// What a native grade of OSWorld takes on a local desktop: from "done" to the
/// score, without the steps and pauses before a grade (they are the task's).
/// One rollout after the other, in which only the setup is done. Prints the
/// median, and the slowest.
///
///   osworld_grading_bench [DATA [MOST]]
///
/// DATA: examples/osworld, or OSWorld's evaluation_examples. At most MOST tasks
/// (30), evenly, that need no steps before the grade and no files.

#include "bench/timing.hpp"
#include "envs/osworld/grading/native_names.hpp"
#include "envs/osworld/osworld_benchmark.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

using namespace brewery;
using namespace brewery::osworld;
using namespace brewery::bench;

namespace {

struct timed_grade {
  double ms = 0;
  std::string task;
};

bool fits(const desktop_task& task) {
  const auto simple = [](const setup_step& step) {
    return step.type == "execute" || step.type == "command";
  };
  return !task.graded.infeasible && task.graded.postconfig.empty()
         && not_native(task.graded).empty()
         && std::all_of(task.config.begin(), task.config.end(), simple);
}

std::vector<task_id> chosen(const task_set& tasks, std::size_t most) {
  std::vector<task_id> fitting, out;
  for (const auto& task : tasks.tasks)
    if (fits(task)) fitting.push_back(task.id);
  const auto count = std::min(most, fitting.size());
  for (std::size_t i = 0; i < count; ++i)
    out.push_back(fitting[i * fitting.size() / count]);
  return out;
}

/// Ends the program with one line: a figure of fewer grades is another figure.
[[noreturn]] void give_up(const std::string& why) {
  fmt::print(stderr, "osworld_grading_bench: {}\n", why);
  std::exit(1);
}

timed_grade timed(const benchmark& bench, const task_id& task) {
  const auto env = bench.make(task);
  if (!env) give_up(env.error().message);
  (*env)->call("done", json::object());
  const auto start = steady::now();
  const auto grade = (*env)->grade();
  const auto ms = seconds_since(start) * 1e3;
  if (!grade) give_up(grade.error().message);
  return {ms, task.value};
}

} // namespace

int main(int argc, char** argv) {
  const std::filesystem::path data = argc > 1 ? argv[1] : "examples/osworld";
  const std::size_t most = argc > 2 ? std::stoul(argv[2]) : 30;
  osworld_settings settings;
  settings.start_pause_ms = settings.grade_pause_ms = 0;
  const auto bench = load_osworld(data, settings);
  if (!bench) give_up(bench.error().message);
  const auto tasks = load_tasks(data, {});
  if (!tasks) give_up(tasks.error().message);
  std::vector<timed_grade> grades;
  for (const auto& task : chosen(*tasks, most))
    grades.push_back(timed(**bench, task));
  if (grades.empty()) give_up("no task fits");
  std::sort(grades.begin(), grades.end(),
            [](const auto& a, const auto& b) { return a.ms < b.ms; });
  fmt::print("native grade: median {:.1f} ms, slowest {:.1f} ms ({}), of {}; "
             "asked for: 50 ms\n",
             grades[grades.size() / 2].ms, grades.back().ms, grades.back().task,
             grades.size());
}
