/// Whole scripted spreadsheet episodes on the real services: start, grade, and
/// episodes per second in 8 slots, for tasks without and with formulas. Also
/// the memory of the whole process tree, and whether memory, descriptors and
/// files stay constant over many episodes.
///
///   spreadsheet_bench [DATA] [EPISODES]   default: examples/spreadsheets, 400
///
/// Needs what `brewery env check` asks for.

#include "base/text.hpp"
#include "envs/spreadsheet/spreadsheet_benchmark.hpp"
#include "roles/scripted_agent.hpp"
#include "tests/fixtures/scratch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fstream>
#include <set>
#include <sstream>
#include <thread>
#include <unistd.h>

using namespace brewery;
namespace fs = std::filesystem;
using steady = std::chrono::steady_clock;

namespace {

constexpr std::size_t slots = 8;

double ms_since(steady::time_point start) {
  return std::chrono::duration<double, std::milli>(steady::now() - start)
      .count();
}

struct process_tree {
  std::size_t processes = 0, descriptors = 0;
  double pss_mb = 0;
};

pid_t parent_of(const fs::path& process) {
  std::ifstream in{process / "stat"};
  std::string text;
  std::getline(in, text);
  std::istringstream rest{
      text.substr(std::min(text.size(), text.rfind(')') + 1))};
  char state = 0;
  pid_t parent = 0;
  rest >> state >> parent;
  return parent;
}

/// This process and all its descendants.
process_tree measure_tree() {
  std::multimap<pid_t, pid_t> below;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator{"/proc", ignored}) {
    const auto pid = std::atoi(entry.path().filename().c_str());
    if (pid > 0) below.emplace(parent_of(entry.path()), pid);
  }
  process_tree out;
  std::vector<pid_t> unvisited{::getpid()};
  while (!unvisited.empty()) {
    const auto pid = unvisited.back();
    unvisited.pop_back();
    const auto process = fs::path{"/proc"} / std::to_string(pid);
    ++out.processes;
    std::ifstream sums{process / "smaps_rollup"};
    for (std::string line; std::getline(sums, line);)
      if (line.starts_with("Pss:"))
        out.pss_mb += std::atof(line.c_str() + 4) / 1024;
    for ([[maybe_unused]] const auto& fd :
         fs::directory_iterator{process / "fd", ignored})
      ++out.descriptors;
    const auto [first, last] = below.equal_range(pid);
    for (auto it = first; it != last; ++it)
      unvisited.push_back(it->second);
  }
  return out;
}

struct episode_times {
  std::vector<double> start, play, grade;
};

void print(const char* what, std::vector<double> each) {
  if (each.empty()) return;
  std::sort(each.begin(), each.end());
  const auto at = [&](double part) {
    return each[static_cast<std::size_t>(
        part * static_cast<double>(each.size() - 1))];
  };
  fmt::print("{:<36} p50 {:7.1f} ms  p90 {:7.1f}  max {:7.1f}  (n {})\n", what,
             at(0.5), at(0.9), each.back(), each.size());
}

class player {
public:
  player(std::shared_ptr<const benchmark> bench,
         std::shared_ptr<const scripted_agent> agent)
      : bench_(std::move(bench)), agent_(std::move(agent)) {}

  /// Returns whether the workbook had formulas. Ends the program if the task is
  /// not solved, because the figures would be of something else.
  bool episode(const task_info& task, episode_times* times = nullptr) const {
    auto began = steady::now();
    auto env = bench_->make(task.id);
    if (!env) fail(env.error().message);
    if (times) times->start.push_back(ms_since(began));
    retrieval_session nobody{std::make_shared<kb_index>(), 3};
    job_context context;
    began = steady::now();
    const auto tried = agent_->attempt(task, **env, nobody, 1, context);
    if (!tried) fail(tried.error().message);
    if (times) times->play.push_back(ms_since(began));
    began = steady::now();
    const auto grade = (*env)->grade();
    if (!grade) fail(grade.error().message);
    if (times) times->grade.push_back(ms_since(began));
    if (grade->reward != 1) fail(task.id.value + " is not solved");
    return std::any_of(
        tried->steps.begin(), tried->steps.end(), [](const auto& step) {
          return step.observation.find("was recalculated") != std::string::npos;
        });
  }

  double per_second(const std::vector<const task_info*>& tasks,
                    std::size_t episodes) const {
    std::atomic<std::size_t> next{0};
    const auto began = steady::now();
    std::vector<std::thread> all;
    for (std::size_t i = 0; i < slots; ++i)
      all.emplace_back([&] {
        for (auto n = next++; n < episodes; n = next++)
          episode(*tasks[n % tasks.size()]);
      });
    for (auto& one : all)
      one.join();
    return static_cast<double>(episodes) * 1000 / ms_since(began);
  }

private:
  [[noreturn]] static void fail(const std::string& why) {
    fmt::print(stderr, "spreadsheet_bench: {}\n", why);
    std::_Exit(1);
  }

  std::shared_ptr<const benchmark> bench_;
  std::shared_ptr<const scripted_agent> agent_;
};

void report(const char* what, const player& play,
            const std::vector<const task_info*>& tasks, std::size_t episodes) {
  if (tasks.empty()) return;
  fmt::print("{:<36} {:7.1f} episodes/s ({} slots, {} tasks, n {})\n", what,
             play.per_second(tasks, episodes), slots, tasks.size(), episodes);
}

/// Files below a directory, without the cache of recalculation, which has its
/// own limit.
std::size_t count_files(const fs::path& directory) {
  std::size_t out = 0;
  std::error_code ignored;
  for (fs::recursive_directory_iterator at{directory, ignored}, end; at != end;
       at.increment(ignored)) {
    if (at->path().filename() == "cache") at.disable_recursion_pending();
    out += at->is_regular_file(ignored);
  }
  return out;
}

void print_tree(const char* what, const fs::path& services) {
  const auto now = measure_tree();
  fmt::print("{:<36} {:7.0f} MB PSS, {} processes, {} descriptors, {} files\n",
             what, now.pss_mb, now.processes, now.descriptors,
             count_files(services));
}

/// Writes the scripts so that they never save the same workbook twice: the
/// cache of recalculation would answer, which an agent would rarely see.
void write_fresh_scripts(const fs::path& from, const fs::path& to) {
  constexpr std::string_view save = "book.save('output.xlsx')";
  constexpr std::string_view fresh =
      "import time; book.create_sheet('n')['A1'] = time.time_ns(); "
      "book.save('output.xlsx')";
  for (const auto& entry : fs::directory_iterator{from}) {
    std::ifstream in{entry.path()};
    const std::string text{std::istreambuf_iterator<char>{in}, {}};
    std::ofstream{to / entry.path().filename()}
        << replace_all(text, std::string{save}, std::string{fresh});
  }
}

} // namespace

int main(int argc, char** argv) {
  spreadsheet::benchmark_options options;
  options.data = argc > 1 ? argv[1] : "examples/spreadsheets";
  const auto episodes =
      argc > 2 ? static_cast<std::size_t>(std::atoll(argv[2])) : 400;
  options.splits = {0, 0, 1};
  const scratch files;
  // Kernels have other users, who pass through this directory.
  fs::permissions(files.path(), fs::perms{0711});
  options.services.directory = files.path();
  const auto began = steady::now();
  const auto bench = spreadsheet::load_spreadsheets(options);
  if (!bench) {
    fmt::print(stderr, "spreadsheet_bench: {}\n", bench.error().message);
    // Without LibreOffice the other benches continue.
    return bench.error().code == ec::exhausted ? 0 : 1;
  }
  agent_options script;
  const scratch scripts;
  write_fresh_scripts(options.data / "cells", scripts.path());
  script.script = scripts.path();
  const auto agent = scripted_agent::load(script);
  if (!agent) {
    fmt::print(stderr, "spreadsheet_bench: {}\n", agent.error().message);
    return 1;
  }
  fmt::print("{:<36} {:7.0f} ms\n", "load, services included", ms_since(began));
  const player play{*bench, *agent};
  std::vector<const task_info*> plain, computed;
  episode_times warm, times;
  for (const auto& task : (*bench)->tasks())
    (play.episode(task, &warm) ? computed : plain).push_back(&task);
  for (int round = 0; round < 3; ++round)
    for (const auto& task : (*bench)->tasks())
      play.episode(task, &times);
  print("episode start (workspace, kernel)", times.start);
  print("cells and recalculation", times.play);
  print("grading", times.grade);
  report("without formulas", play, plain, episodes);
  report("with formulas", play, computed, episodes);
  print_tree("before many", files.path());
  auto both = plain;
  both.insert(both.end(), computed.begin(), computed.end());
  for (int part = 0; part < 4; ++part) {
    report("both", play, both, episodes);
    print_tree("  after them", files.path());
  }
  return 0;
}
