#include "cli/osworld/osworld_data.hpp"

#include "base/printable.hpp"
#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/json_line.hpp"
#include "cli/logging.hpp"
#include "cli/progress_bar.hpp"
#include "cli/terminal.hpp"
#include "envs/osworld/grading/native_names.hpp"
#include "envs/osworld/osworld_benchmark.hpp"
#include "envs/osworld/tasks/task_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

namespace brewery {

namespace {

/// What a task needs for its grade, for the lines and the sums.
struct osworld_counts {
  std::size_t native = 0, infeasible = 0, official = 0;
  std::map<std::string, std::size_t> refused;
  std::set<std::string> files; ///< that are fetched
};

void print_refused(const osworld::desktop_task& task,
                   const osworld::refusal& why, bool as_json) {
  const auto text =
      as_json ? json_line({{"event", "refused"},
                           {"task", task.id.value},
                           {"domain", task.domain},
                           {"why", why.why}})
              : fmt::format("{}/{}: {}\n", printable(task.domain),
                            printable(task.id.value), printable(why.why));
  std::fputs(text.c_str(), stdout);
}

osworld_counts count_tasks(const osworld::task_set& data, bool as_json) {
  osworld_counts out;
  auto refused = data.refused.begin();
  for (std::size_t i = 0; i < data.tasks.size(); ++i) {
    const auto& task = data.tasks[i];
    if (refused != data.refused.end() && refused->task == i) {
      print_refused(task, refused->reason, as_json);
      ++out.refused[refused->reason.kind];
      ++refused;
      continue;
    }
    const auto lacking = osworld::not_native(task.graded);
    out.infeasible += task.graded.infeasible ? 1 : 0;
    (lacking.empty() ? out.native : out.official) += 1;
    for (const auto& address : osworld::files_of(task))
      if (osworld::is_remote(address)) out.files.insert(address);
    if (as_json)
      std::fputs(json_line({{"event", "task"},
                            {"task", task.id.value},
                            {"domain", task.domain},
                            {"infeasible", task.graded.infeasible},
                            {"needs_evaluators", lacking}})
                     .c_str(),
                 stdout);
  }
  return out;
}

void print_osworld_sums(const osworld::task_set& data,
                        const osworld_counts& all, bool as_json) {
  const auto playable = all.native + all.official;
  std::map<std::string, std::size_t> splits;
  for (const auto& [name, tasks] : data.splits)
    splits[name] = tasks.size();
  if (as_json) {
    std::fputs(json_line({{"event", "dataset"},
                          {"tasks", data.tasks.size()},
                          {"playable", playable},
                          {"native", all.native},
                          {"infeasible", all.infeasible},
                          {"needs_evaluators", all.official},
                          {"refused", all.refused},
                          {"files", all.files.size()},
                          {"splits", splits}})
                   .c_str(),
               stdout);
    return;
  }
  auto text = fmt::format("{}: {} can be played\n",
                          counted(data.tasks.size(), "task"), playable);
  for (const auto& [kind, count] : all.refused)
    text += fmt::format("  refused, {}: {}\n", kind, count);
  text +=
      fmt::format("  graded natively: {}, of which infeasible: {}\n"
                  "  graded by the official evaluators "
                  "(environment.osworld.evaluators): {}\n"
                  "  files to fetch: {}\n",
                  all.native, all.infeasible, all.official, all.files.size());
  for (const auto& [name, count] : splits)
    text += fmt::format("  split {}: {}\n", printable(name), count);
  std::fputs(text.c_str(), stdout);
}

/// The tasks of a split, or all.
result<std::vector<std::size_t>> chosen_tasks(const osworld::task_set& data,
                                              const std::string& split) {
  std::vector<std::size_t> all(data.tasks.size());
  for (std::size_t i = 0; i < all.size(); ++i)
    all[i] = i;
  if (split.empty()) return all;
  const auto found = data.splits.find(split);
  if (found != data.splits.end()) return found->second;
  std::vector<std::string> names;
  for (const auto& entry : data.splits)
    names.push_back(entry.first);
  return error{ec::not_found, fmt::format("there is no split {}; there are {}",
                                          split, join(names, ", "))};
}

} // namespace

bool holds_osworld(const std::string& directory) {
  const std::filesystem::path root{directory};
  std::error_code ignored;
  return std::filesystem::is_directory(root / "evaluation_examples", ignored)
         || (std::filesystem::is_directory(root / "examples", ignored)
             && !std::filesystem::exists(root / "dataset.json", ignored));
}

int check_osworld(const std::string& directory, bool as_json) {
  const auto data = osworld::load_tasks(directory, {.official = true});
  if (!data) return report(data.error());
  const auto all = count_tasks(*data, as_json);
  print_osworld_sums(*data, all, as_json);
  // The official set has tasks that need an account: they are no flaw. A file
  // that is missing is.
  return all.refused.contains("missing file") ? exit_failed : exit_ok;
}

int fetch_osworld(const osworld_fetch_arguments& arguments) {
  set_up_logging("warn");
  const auto data =
      osworld::load_tasks(arguments.directory, {.official = true});
  if (!data) return report(data.error());
  const auto chosen = chosen_tasks(*data, arguments.split);
  if (!chosen) return report(chosen.error());
  std::set<std::string> wanted;
  for (const auto index : *chosen)
    for (const auto& address : osworld::files_of(data->tasks[index]))
      if (osworld::is_remote(address)) wanted.insert(address);
  osworld_settings settings;
  settings.cache = arguments.cache;
  settings.mirror = arguments.mirror;
  const osworld::file_cache files{osworld::file_options(data->root, settings)};
  std::size_t here = 0, fetched = 0, failed = 0, bytes = 0;
  progress_bar meter{"files", wanted.size()};
  for (const auto& address : wanted) {
    const bool was_here = files.is_here(address);
    const auto got = files.bytes(address);
    meter.clear();
    if (!got) {
      std::fputs((printable(got.error().message) + "\n").c_str(), stderr);
      ++failed;
    } else {
      bytes += got->size();
      (was_here ? here : fetched) += 1;
    }
    meter.step();
  }
  meter.clear();
  const auto text =
      arguments.json
          ? json_line({{"event", "fetch"},
                       {"files", wanted.size()},
                       {"here", here},
                       {"fetched", fetched},
                       {"failed", failed},
                       {"bytes", bytes}})
          : fmt::format(
              "{}: {} here already, {} fetched, {} failed; {} bytes\n",
              counted(wanted.size(), "file"), here, fetched, failed, bytes);
  std::fputs(text.c_str(), stdout);
  return failed == 0 ? exit_ok : exit_failed;
}

} // namespace brewery
