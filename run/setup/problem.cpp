#include "run/setup/problem.hpp"

#include "base/rng.hpp"
#include "base/text.hpp"
#include "envs/external/external_benchmark.hpp"
#include "envs/tau2/tau2_benchmark.hpp"
#include "envs/toy/toy.hpp"
#include "run/setup/child_environment.hpp"
#include "run/setup/spreadsheet_setup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

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
  if (options.kind == spreadsheet::benchmark_name) {
    auto how = spreadsheet_setup(options.spreadsheet);
    how.data = options.data;
    how.part = part;
    return spreadsheet::load_spreadsheets(how);
  }
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
  return out;
}

namespace {

/// Moves every n-th task of a seeded order to the eval split, so that held-out
/// tasks are spread.
void hold_out(std::vector<learner_task>& train, std::vector<learner_task>& eval,
              const config& options) {
  std::vector<std::size_t> order(train.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    order[i] = i;
  rng draw{rng_key(options.run.seed, "hold out")};
  draw.shuffle(order);
  auto count = static_cast<std::size_t>(static_cast<double>(train.size())
                                        * options.environment.eval_fraction);
  order.resize(std::max<std::size_t>(1, count));
  std::sort(order.begin(), order.end());
  std::vector<learner_task> remaining;
  for (std::size_t i = 0; i < train.size(); ++i)
    (std::binary_search(order.begin(), order.end(), i) ? eval : remaining)
        .push_back(std::move(train[i]));
  train = std::move(remaining);
}

/// The first few of a list of ids, for a message.
std::string shown_ids(std::vector<std::string> ids) {
  constexpr std::size_t shown_max = 5;
  const auto more = ids.size() > shown_max ? ids.size() - shown_max : 0;
  ids.resize(ids.size() - more);
  return join(ids, ", ") + (more > 0 ? fmt::format(" and {} more", more) : "");
}

void cap(std::vector<learner_task>& tasks, std::uint32_t max_tasks) {
  if (max_tasks > 0 && tasks.size() > max_tasks) tasks.resize(max_tasks);
}

} // namespace

result<std::vector<learner_task>> tasks_of_split(const benchmark& source,
                                                 const std::string& split,
                                                 std::uint32_t max_tasks) {
  const auto it = source.splits().find(split);
  if (it == source.splits().end()) {
    std::vector<std::string> names;
    for (const auto& [name, tasks] : source.splits())
      names.push_back(name);
    const auto near = nearest(split, names);
    return error{
        ec::invalid_config,
        fmt::format("split '{}' does not exist in {}; it has {}{}", split,
                    source.name(), join(names, ", "),
                    near.empty() ? "" : "; did you mean '" + near + "'?")};
  }
  std::vector<learner_task> out;
  for (const auto index : it->second) {
    const auto& task = source.tasks()[index];
    out.push_back({task.id, task.about()});
  }
  if (out.empty())
    return error{ec::invalid_config, fmt::format("split '{}' of {} has no task",
                                                 split, source.name())};
  cap(out, max_tasks);
  return out;
}

result<void> check_disjoint(const problem& what,
                            const environment_options& where) {
  // Tasks that are held out for eval come from the train split.
  const auto& eval_split =
      where.eval_split.empty() ? where.train_split : where.eval_split;
  const std::pair<const std::vector<learner_task>*, const std::string*> uses[] =
      {{&what.train, &where.train_split},
       {&what.eval, &eval_split},
       {&what.test, &where.test_split}};
  std::map<task_id, const std::string*> owner;
  for (const auto& [tasks, split] : uses) {
    std::map<std::string, std::vector<std::string>> shared;
    for (const auto& task : *tasks) {
      const auto [first, added] = owner.emplace(task.id, split);
      if (!added) shared[*first->second].push_back(task.id.value);
    }
    if (shared.empty()) continue;
    const auto& [other, ids] = *shared.begin();
    return error{
        ec::invalid_config,
        other == *split
            ? fmt::format("split '{}' lists {} twice", other, shown_ids(ids))
            : fmt::format("the splits '{}' and '{}' have {} of {} tasks in "
                          "common: {}; the splits for train, eval and test "
                          "must have different tasks",
                          other, *split, ids.size(), tasks->size(),
                          shown_ids(ids))};
  }
  return {};
}

result<problem> load_problem(const config& options, spreadsheet::share part) {
  const auto& where = options.environment;
  auto source = load_benchmark(where, part);
  if (!source) return source.error();
  problem out;
  out.source = std::move(*source);
  auto train = tasks_of_split(*out.source, where.train_split, 0);
  if (!train) return train.error();
  out.train = std::move(*train);
  if (where.eval_split.empty()) {
    if (out.train.size() < 2)
      return error{ec::invalid_config,
                   fmt::format("split '{}' has one task: nothing can be held "
                               "out from it; name environment.eval_split",
                               where.train_split)};
    hold_out(out.train, out.eval, options);
  } else {
    auto eval = tasks_of_split(*out.source, where.eval_split, 0);
    if (!eval) return eval.error();
    out.eval = std::move(*eval);
  }
  cap(out.train, where.max_train_tasks);
  cap(out.eval, where.max_eval_tasks);
  if (options.search.final_evaluation) {
    auto test =
        tasks_of_split(*out.source, where.test_split, where.max_test_tasks);
    if (!test) return test.error();
    out.test = std::move(*test);
  }
  if (auto disjoint = check_disjoint(out, where); !disjoint)
    return disjoint.error();
  return out;
}

result<brew_settings> settings_for(const config& options, const problem& what,
                                   const std::string& strategy_name,
                                   const std::string& fingerprint) {
  const auto how = parse_strategy(strategy_name);
  if (!how) return how.error();
  brew_settings out;
  out.seed = options.run.seed;
  out.fingerprint = fingerprint;
  out.train = what.train;
  out.eval = what.eval;
  out.learner = options.search;
  out.eval_choice = options.eval;
  out.learner.tree.how = *how;
  out.retrieval = options.retrieval.bm25;
  if (auto valid = validate(out.learner.tree); !valid) return valid.error();
  return out;
}

result<brew_settings> evaluation_settings(const config& options,
                                          const problem& what,
                                          const std::string& fingerprint) {
  return settings_for(options, what, std::string{to_string(strategy::mcts)},
                      fingerprint);
}

} // namespace brewery
