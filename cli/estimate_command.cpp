/// `brewery estimate`: jobs, tokens, time and cost of a run, before it is run.

#include "actors/model_recording.hpp"
#include "cli/commands.hpp"
#include "cli/configuration.hpp"
#include "cli/json_line.hpp"
#include "cli/locate.hpp"
#include "cli/terminal.hpp"
#include "config/model_use.hpp"
#include "llm/accounts/model_catalog.hpp"
#include "report/arm_rollouts.hpp"
#include "run/setup/estimate.hpp"
#include "run/setup/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace brewery {

namespace {

constexpr const char* estimate_footer =
    "Computes the number of rollouts and documents from the configuration and "
    "its data, and the\ncost of models from the catalog's prices. The number "
    "of concepts is not known in advance,\nso all figures are ranges. With "
    "--like, calls and tokens per job are those of a finished\nrun; without it "
    "they are assumptions, and the output says so.\n\nExamples:\n  brewery "
    "estimate config/tau2-airline.toml\n  brewery estimate wide.toml --like "
    "runs/20260101-101500-small --concepts 12";

/// Without a measured run: from few concepts to one per other train task.
constexpr double fewest_concepts = 3;

struct estimate_arguments {
  config_arguments configuration;
  std::string like;
  std::uint32_t concepts = 0;
  bool json = false;
};

std::string count_text(const range& value) {
  const auto round = [](double x) { return std::llround(x); };
  return round(value.low) == round(value.high)
             ? fmt::format("{}", round(value.low))
             : fmt::format("{} to {}", round(value.low), round(value.high));
}

std::string large_text(double value) {
  if (value >= 1e9) return fmt::format("{:.2f} G", value / 1e9);
  if (value >= 1e6) return fmt::format("{:.2f} M", value / 1e6);
  if (value >= 1e3) return fmt::format("{:.1f} k", value / 1e3);
  return fmt::format("{:.0f}", value);
}

std::string large_text(const range& value) {
  return large_text(value.low) + " to " + large_text(value.high);
}

std::string money_text(const range& value) {
  return fmt::format("${:.2f} to ${:.2f}", value.low, value.high);
}

std::string time_text(double seconds) {
  if (seconds < 90) return fmt::format("{:.0f} s", seconds);
  if (seconds < 5400) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

/// Calls and tokens per job of a finished run, by role.
result<std::map<std::string, role_use>>
measured_use(const std::filesystem::path& run, const job_counts& jobs) {
  auto recorded = model_recording::open_for_replay(run);
  if (!recorded) return recorded.error();
  std::map<std::string, role_use> out;
  for (const auto& [role, sum] : (*recorded)->index().by_role) {
    if (sum.calls == 0) continue;
    const auto calls = static_cast<double>(sum.calls);
    const auto of = jobs_of(role, jobs);
    role_use each;
    each.calls = {calls / std::max(1.0, of.high),
                  calls / std::max(1.0, of.low)};
    each.prompt_tokens = static_cast<double>(sum.usage.prompt) / calls;
    each.cached_tokens = static_cast<double>(sum.usage.cached) / calls;
    each.reply_tokens = static_cast<double>(sum.usage.completion) / calls;
    each.seconds = static_cast<double>(sum.duration_ms) / calls / 1000;
    out[role] = each;
  }
  return out;
}

/// As the run stored them.
result<config> options_of_run(const std::filesystem::path& path) {
  const auto run =
      run_directory::open(path.parent_path(), path.filename().string());
  if (!run) return run.error();
  return options_of(*run);
}

struct whole_estimate {
  job_counts jobs;
  range concepts;
  std::vector<role_estimate> roles;
  range calls, tokens, cost_usd, seconds;
  std::vector<std::string> unpriced;
  std::size_t at_once = 1;
  bool measured = false;
};

std::map<std::string, std::string> models_by_role(const config& options) {
  return {{"agent", options.agent.llm.model},
          {"user", options.user.llm.model},
          {"judge", options.judge.llm.model},
          {"statement_judge", options.statement_judge.llm.model},
          {"reflector", options.reflector.llm.model},
          {"integrator", options.integrator.llm.model},
          {"embedder", options.embedder.model}};
}

result<whole_estimate> make_estimate(const estimate_arguments& arguments,
                                     const config& options) {
  const auto what = load_problem(options);
  if (!what) return what.error();
  const task_counts tasks{what->train.size(), what->eval.size(),
                          what->test.size()};
  whole_estimate out;
  out.concepts =
      arguments.concepts > 0
          ? range{double(arguments.concepts), double(arguments.concepts)}
          : range{
              fewest_concepts,
              std::max(fewest_concepts, std::ceil(double(tasks.train) / 2))};
  out.jobs = count_jobs(options, tasks, out.concepts);
  auto use = assumed_use();
  if (!arguments.like.empty()) {
    const auto run = locate_run(arguments.like, options.run.runs_dir);
    if (!run) return run.error();
    const auto its_options = options_of_run(*run);
    if (!its_options) return its_options.error();
    const auto its = load_problem(*its_options);
    if (!its) return its.error();
    auto found = measured_use(
        *run,
        count_jobs(*its_options,
                   {its->train.size(), its->eval.size(), its->test.size()},
                   out.concepts));
    if (!found) return found.error();
    for (const auto& [role, each] : *found)
      use[role] = each;
    out.measured = true;
  }
  std::map<std::string, token_price> prices;
  if (!models_used(options).empty()) {
    const auto catalog = load_model_catalog(options.models.catalog);
    for (const auto& [role, name] : models_by_role(options)) {
      const auto found = catalog.value.models.find(name);
      if (found == catalog.value.models.end()) continue;
      if (found->second.price)
        prices[role] = *found->second.price;
      else
        out.unpriced.push_back(name);
    }
  }
  out.roles = estimate_roles(options, out.jobs, use, prices);
  for (const auto& role : out.roles) {
    out.calls += role.calls;
    out.tokens += role.tokens;
    out.cost_usd += role.cost_usd;
    out.seconds += role.seconds;
  }
  out.at_once = std::max<std::size_t>(
      1, options.run.workers > 0 ? options.run.workers : options.run.threads);
  return out;
}

std::string text_of(const whole_estimate& all) {
  std::string out = fmt::format(
      "Rollouts   {} ({} to learn from, {} to score documents, {} to test)\n"
      "Documents  {} written, for {} concepts\n",
      count_text(all.jobs.rollouts()), count_text(all.jobs.learning),
      count_text(all.jobs.scoring), count_text(all.jobs.testing),
      count_text(all.jobs.integrations), count_text(all.concepts));
  if (all.roles.empty()) return out + "Models     none: nothing to pay for\n";
  std::vector<std::vector<std::string>> rows{
      {"role", "calls", "tokens", "cost"}};
  for (const auto& role : all.roles)
    rows.push_back({role.role, large_text(role.calls), large_text(role.tokens),
                    money_text(role.cost_usd)});
  rows.push_back({"all", large_text(all.calls), large_text(all.tokens),
                  money_text(all.cost_usd)});
  out += '\n' + table(rows) + '\n';
  const double each = static_cast<double>(all.at_once);
  out += fmt::format("Time       {} to {} with {} jobs at once\n",
                     time_text(all.seconds.low / each),
                     time_text(all.seconds.high / each), all.at_once);
  out += all.measured
             ? "Calls, tokens and seconds per job are those of the run that "
               "--like names.\n"
             : "Calls, tokens and seconds per job are assumed: name a run "
               "with --like to use measured ones.\n";
  for (const auto& name : all.unpriced)
    out += fmt::format("The price of {} is not known and counts as 0: give it "
                       "in the catalog.\n",
                       name);
  return out;
}

nlohmann::ordered_json json_of(const whole_estimate& all) {
  const auto pair = [](const range& value) {
    return nlohmann::ordered_json::array({value.low, value.high});
  };
  nlohmann::ordered_json out{{"event", "estimate"},
                             {"measured", all.measured},
                             {"concepts", pair(all.concepts)},
                             {"rollouts", pair(all.jobs.rollouts())},
                             {"integrations", pair(all.jobs.integrations)},
                             {"calls", pair(all.calls)},
                             {"tokens", pair(all.tokens)},
                             {"cost_usd", pair(all.cost_usd)},
                             {"model_seconds", pair(all.seconds)}};
  out["roles"] = nlohmann::ordered_json::array();
  for (const auto& role : all.roles)
    out["roles"].push_back({{"role", role.role},
                            {"calls", pair(role.calls)},
                            {"tokens", pair(role.tokens)},
                            {"cost_usd", pair(role.cost_usd)}});
  return out;
}

int estimate_command(const estimate_arguments& arguments) {
  const auto configuration = usable_config_from(arguments.configuration);
  if (configuration.code != exit_ok) return configuration.code;
  const auto made = make_estimate(arguments, configuration.value);
  if (!made) return report(made.error());
  const auto text = arguments.json ? json_line(json_of(*made)) : text_of(*made);
  std::fputs(text.c_str(), stdout);
  return exit_ok;
}

} // namespace

void add_estimate_command(CLI::App& app, chosen_command& chosen) {
  auto* command =
      add_command(app, "estimate",
                  "Estimate rollouts, cost and time of a run before it starts.",
                  estimate_footer);
  auto arguments = std::make_shared<estimate_arguments>();
  command
      ->add_option("CONFIG", arguments->configuration.file,
                   "Configuration file (TOML).")
      ->required();
  add_override_option(*command, arguments->configuration);
  command->add_option("--like", arguments->like,
                      "Finished run whose recorded calls are the basis.");
  command
      ->add_option("--concepts", arguments->concepts,
                   "Number of concepts, if known.")
      ->check(CLI::Range(1, 100000));
  command->add_flag("--json", arguments->json, "As a JSON line.");
  command->callback([arguments, &chosen] {
    chosen = [=] { return estimate_command(*arguments); };
  });
}

} // namespace brewery
