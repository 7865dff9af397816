#include "report/osworld_export.hpp"

#include "base/file.hpp"
#include "base/text.hpp"
#include "envs/osworld/actions/action.hpp"
#include "envs/osworld/osworld_benchmark.hpp"
#include "report/arm_rollouts.hpp"

#include <fmt/format.h>

#include <map>

namespace brewery {

namespace {

namespace fs = std::filesystem;

/// A name as one component of a path: models are called "org/name".
std::string as_component(const std::string& name) {
  std::string out;
  for (const char c : name)
    out +=
        c == '/' || c == '\\' || static_cast<unsigned char>(c) < 0x20 ? '_' : c;
  return out.empty() || out == "." || out == ".." ? "_" : out;
}

/// The action as the official runner writes it: code, an object, or a word.
json official_action(const trajectory_step& step) {
  if (step.tool == osworld::wait_tool) return "WAIT";
  if (step.tool == osworld::done_tool) return "DONE";
  if (step.tool == osworld::fail_tool) return "FAIL";
  auto arguments = json::parse(step.arguments, nullptr, false);
  if (step.tool == osworld::pyautogui_tool && arguments.is_object()
      && arguments.contains("code"))
    return arguments["code"];
  return arguments;
}

class osworld_writer {
public:
  osworld_writer(fs::path out, fs::path screenshots)
      : out_(std::move(out)), screenshots_(std::move(screenshots)) {}

  result<void> write(const rollout_result& played, const fs::path& directory,
                     const std::string& domain, osworld_export& counts) {
    if (auto ok = make_directories(directory); !ok) return ok;
    std::string lines;
    std::string response;
    std::size_t number = 0;
    for (const auto& step : played.steps) {
      if (step.requestor != "assistant") continue;
      if (step.tool == words_tool) {
        response = step.observation;
        continue;
      }
      ++number;
      const auto action = official_action(step);
      const bool done = action == "DONE", failed = action == "FAIL";
      auto info = json::object();
      if (done) info["done"] = true;
      if (failed) info["fail"] = true;
      const auto file =
          copy_screenshot(screenshot_in(step.observation), number, directory);
      counts.screenshots += file.empty() ? 0 : 1;
      lines += text_of({{"step_num", number},
                        {"action_timestamp", ""},
                        {"action", action},
                        {"response", response},
                        {"reward", 0},
                        {"done", done || failed},
                        {"info", info},
                        {"screenshot_file", file}});
      response.clear();
    }
    const bool graded = played.outcome == rollout_outcome::graded;
    if (!graded) lines += text_of({{"Error", played.error}});
    if (auto ok = write_synced_file(directory / "traj.jsonl", lines); !ok)
      return ok;
    add_summary(played, domain, graded);
    if (!graded) return {};
    ++counts.graded;
    return write_synced_file(directory / "result.txt",
                             json(played.grade.reward).dump() + "\n");
  }

  result<void> finish() {
    if (auto ok = make_directories(out_ / "summary"); !ok) return ok;
    return write_synced_file(out_ / "summary" / "results.json",
                             summary_.dump(2) + "\n");
  }

private:
  static std::string text_of(const json& line) {
    return line.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
  }

  /// The name of the copy; empty if there is none.
  std::string copy_screenshot(const std::string& hash, std::size_t number,
                              const fs::path& directory) const {
    if (hash.empty() || screenshots_.empty()) return {};
    const auto name = fmt::format("step_{}.png", number);
    std::error_code failed;
    fs::copy_file(screenshots_ / (hash + ".png"), directory / name,
                  fs::copy_options::overwrite_existing, failed);
    return failed ? std::string{} : name;
  }

  void add_summary(const rollout_result& played, const std::string& domain,
                   bool graded) {
    json line{{"application", domain},
              {"task_id", played.task.value},
              {"status", graded ? "success" : "error"},
              {"score", graded ? json(played.grade.reward) : json{}},
              {"timestamp", ""}};
    if (!graded) line["err_message"] = played.error;
    summary_.push_back(std::move(line));
  }

  fs::path out_, screenshots_;
  json summary_ = json::array();
};

} // namespace

std::string screenshot_in(const std::string& observation) {
  for (const auto line : split(observation, '\n')) {
    const auto words = split(line, ' ');
    if (words.size() == 3 && words[0] == "screenshot"
        && words[1].find_first_not_of("0123456789abcdef")
               == std::string_view::npos)
      return std::string{words[1]};
  }
  return {};
}

result<osworld_export> export_osworld(const fs::path& path,
                                      const std::string& arm_name,
                                      const fs::path& screenshots,
                                      const fs::path& out) {
  const auto run = open_evaluated(path);
  if (!run) return run.error();
  const auto& where = run->options.environment;
  if (where.kind != osworld::benchmark_name)
    return error{ec::invalid_argument,
                 fmt::format("{}: a run of {}, not of OSWorld",
                             run->where.path().string(), where.kind)};
  const auto arm = find_arm(*run, arm_name);
  if (!arm) return arm.error();
  const auto what = problem_for(*run, **arm);
  if (!what) return what.error();
  const auto found = rollouts_of(*run, *what, **arm);
  if (!found) return found.error();
  const auto tasks = osworld::load_tasks(where.data, {});
  if (!tasks) return tasks.error();
  std::map<std::string, std::string> domains;
  for (const auto& task : tasks->tasks)
    domains.emplace(task.id.value, task.domain);
  const auto& agent = run->options.agent;
  const auto model = agent.kind == "llm" ? agent.llm.model : agent.kind;
  osworld_export counts{(*arm)->name, 0, 0, found->missing, 0};
  osworld_writer writer{out, screenshots.empty()
                                 ? fs::path{where.osworld.screenshots}
                                 : screenshots};
  for (const auto& id : found->logged) {
    const auto played = read_rollout(*run, id);
    if (!played) return played.error();
    if (!*played) continue;
    ++counts.rollouts;
    const auto trial = run->options.eval.test_trials > 1
                           ? out / fmt::format("trial_{}", (*played)->trial + 1)
                           : out;
    const auto& domain = domains[(*played)->task.value];
    const auto directory = trial / where.osworld.actions
                           / where.osworld.observation / as_component(model)
                           / as_component(domain)
                           / as_component((*played)->task.value);
    if (auto ok = writer.write(**played, directory, domain, counts); !ok)
      return ok.error();
  }
  if (auto ok = writer.finish(); !ok) return ok.error();
  return counts;
}

} // namespace brewery
