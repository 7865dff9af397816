#include "run/setup/problem.hpp"

#include "envs/external/external_benchmark.hpp"
#include "envs/osworld/osworld_benchmark.hpp"
#include "envs/plant/plant.hpp"
#include "envs/tau2/tau2_benchmark.hpp"
#include "envs/toy/toy.hpp"
#include "messages/memory/agent_kb_steps.hpp"
#include "run/setup/child_environment.hpp"
#include "run/setup/splits.hpp"
#include "run/setup/spreadsheet_setup.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace brewery {

result<std::shared_ptr<const tau2::tau2_benchmark>>
load_tau2_benchmark(const environment_options& options) {
  const auto& settings = options.tau2;
  tau2::tau2_options how;
  if (settings.mode == "solo") how.mode = tau2::play_mode::solo;
  if (settings.mode == "user") how.mode = tau2::play_mode::with_user;
  how.max_steps = settings.max_steps;
  how.max_errors = settings.max_errors;
  how.enforce_protocol = settings.enforce_protocol;
  how.timeout = std::chrono::seconds{settings.talk_timeout_s};
  return tau2::load_tau2(options.kind, options.data, how);
}

result<std::shared_ptr<const benchmark>>
load_benchmark(const environment_options& options, spreadsheet::share part) {
  if (options.kind == "toy") return make_toy_benchmark({});
  if (options.kind == "plant") return plant::make_plant(options.plant);
  if (options.kind == spreadsheet::benchmark_name) {
    auto how = spreadsheet_setup(options.spreadsheet);
    how.data = options.data;
    how.part = part;
    return spreadsheet::load_spreadsheets(how);
  }
  if (options.kind == osworld::benchmark_name)
    return osworld::load_osworld(options.data, options.osworld);
  if (options.runs_program()) {
    auto how = child_options(options);
    if (!how) return how.error();
    return external::load_external(*how);
  }
  auto loaded = load_tau2_benchmark(options);
  if (!loaded) return loaded.error();
  return std::shared_ptr<const benchmark>{std::move(*loaded)};
}

std::string play_text(const environment_options& options) {
  std::string out;
  const auto add = [&](std::string_view name, const auto& settings,
                       const auto member) {
    const std::remove_cvref_t<decltype(settings)> usual;
    if (settings.*member != usual.*member)
      out += fmt::format(" {}={}", name, settings.*member);
  };
  const auto& talk = options.tau2;
  add("mode", talk, &tau2_settings::mode);
  add("max_steps", talk, &tau2_settings::max_steps);
  add("max_errors", talk, &tau2_settings::max_errors);
  add("enforce_protocol", talk, &tau2_settings::enforce_protocol);
  add("talk_timeout_s", talk, &tau2_settings::talk_timeout_s);
  using sheets = spreadsheet_settings;
  const auto& cells = options.spreadsheet;
  add("turns", cells, &sheets::turns);
  add("first_rows", cells, &sheets::first_rows);
  add("metric", cells, &sheets::metric);
  add("position_parser", cells, &sheets::position_parser);
  add("cell_timeout_ms", cells, &sheets::cell_timeout_ms);
  add("output_bytes", cells, &sheets::output_bytes);
  add("kernel_memory_mb", cells, &sheets::kernel_memory_mb);
  add("recalculation_timeout_ms", cells, &sheets::recalculation_timeout_ms);
  using desktops = osworld_settings;
  const auto& desks = options.osworld;
  add("actions", desks, &desktops::actions);
  add("observation", desks, &desktops::observation);
  add("terminal", desks, &desktops::terminal);
  add("steps", desks, &desktops::steps);
  add("tree_bytes", desks, &desktops::tree_bytes);
  add("action_pause_ms", desks, &desktops::action_pause_ms);
  add("wait_ms", desks, &desktops::wait_ms);
  add("start_pause_ms", desks, &desktops::start_pause_ms);
  add("grade_pause_ms", desks, &desktops::grade_pause_ms);
  add("width_px", desks, &desktops::width_px);
  add("height_px", desks, &desktops::height_px);
  return out;
}

namespace {

/// Whether whoever is told what the task is about knows more than its agent: of
/// a task whose user speaks first that is the user's scenario.
bool hides_subject(const task_info& task) {
  return !task.subject.empty() && task.subject != task.instruction;
}

} // namespace

result<void> check_learner(const std::string& learner,
                           const benchmark& source) {
  const auto refuse = [](const task_info& task, std::string_view why) {
    return error{ec::invalid_config,
                 fmt::format("search.learner: task \"{}\" has {}; use brew, or "
                             "a benchmark whose tasks come as instructions",
                             task.id.value, why)};
  };
  const bool plans = learner.starts_with(agent_kb_role);
  for (const auto& task : source.tasks()) {
    // It plans from what a task says before its agent begins, so the task must
    // say to the agent what it says to the learner.
    if (plans && hides_subject(task))
      return refuse(task, "a subject that its agent does not see at the start, "
                          "which Agent KB would plan from");
    if (learner == "muse" && task.instruction.empty())
      return refuse(task, "no instruction, because its user speaks first, and "
                          "MUSE begins with a plan for what it says");
  }
  return {};
}

result<void> check_memory_port(const config& options, const benchmark& source) {
  const auto& baselines = options.eval.baselines;
  if (!options.search.final_evaluation
      || std::ranges::find(baselines, comparators::port) == baselines.end())
    return {};
  const auto hidden = std::ranges::find_if(source.tasks(), hides_subject);
  if (hidden == source.tasks().end()) return {};
  return error{
      ec::invalid_config,
      fmt::format("eval.baselines: task \"{}\" has a subject that its agent "
                  "does not see at the start, and \"{}\" would be asked with "
                  "it; leave it out, or use a benchmark whose tasks come as "
                  "instructions",
                  hidden->id.value, comparators::port)};
}

result<void> check_starts(const problem& what) {
  const auto* talks =
      dynamic_cast<const tau2::tau2_benchmark*>(what.source.get());
  if (!talks) return {};
  for (const auto* tasks : {&what.train, &what.eval, &what.test})
    for (const auto& task : *tasks)
      if (auto ok = talks->can_start(task.id); !ok) return ok;
  return {};
}

result<problem> load_problem(const config& options, spreadsheet::share part) {
  const auto& where = options.environment;
  auto source = load_benchmark(where, part);
  if (!source) return source.error();
  problem out;
  out.source = std::move(*source);
  if (auto ok = check_learner(options.search.learner, *out.source); !ok)
    return ok.error();
  if (auto taken = take_splits(out, options); !taken) return taken.error();
  return out;
}

namespace {

/// An agent whose user speaks first asks with the user's words, and what a
/// program does nobody knows.
bool asks_with_task(const environment_options& where) {
  if (where.kind == "toy" || where.kind == spreadsheet::benchmark_name
      || where.kind == osworld::benchmark_name)
    return true;
  return where.kind == "tau2-telecom" && where.tau2.mode != "user";
}

} // namespace

result<brew_settings> settings_for(const config& options, const problem& what,
                                   const std::string& strategy_name,
                                   const fingerprints& prints) {
  const auto how = parse_strategy(strategy_name);
  if (!how) return how.error();
  brew_settings out;
  out.seed = options.run.seed;
  out.fingerprint = prints.whole;
  out.playing = prints.playing;
  out.reflecting = prints.reflecting;
  out.integrator = prints.integrating;
  out.train = what.train;
  out.eval = what.eval;
  out.learner = options.search;
  out.eval_choice = options.eval;
  out.learner.tree.how = *how;
  out.economy = options.economy;
  out.asks_with_task = asks_with_task(options.environment);
  out.retrieval = options.retrieval.bm25;
  out.ranked_by_rollouts = options.retrieval.needs_vectors();
  out.embedder = options.embedder.key();
  if (auto valid = validate(out.learner.tree); !valid) return valid.error();
  return out;
}

result<brew_settings> evaluation_settings(const config& options,
                                          const problem& what,
                                          const fingerprints& prints) {
  return settings_for(options, what, std::string{to_string(strategy::mcts)},
                      prints);
}

} // namespace brewery
