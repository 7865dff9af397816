/// `brewery estimate`: jobs, tokens, time and cost of a run, before it is run.

#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/configuration.hpp"
#include "cli/json_line.hpp"
#include "cli/locate.hpp"
#include "cli/logging.hpp"
#include "cli/estimate/measured_use.hpp"
#include "cli/estimate/pilot.hpp"
#include "cli/terminal.hpp"
#include "config/model_use.hpp"
#include "llm/accounts/model_catalog.hpp"
#include "run/interrupt.hpp"
#include "run/setup/model_service.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace brewery {

namespace {

constexpr const char* estimate_footer =
    "Computes the number of rollouts and documents from the configuration and "
    "its data, and the\ncost of models from the catalog's prices. The number "
    "of concepts is not known in advance,\nso all figures are ranges. With "
    "--like, calls and tokens per job are those of a finished\nrun; with "
    "--pilot, those of a small run that is made now, which costs a little. "
    "Without either\nthey are assumptions, and the output says so.\n\n"
    "Examples:\n  brewery estimate config/tau2-airline.toml\n  brewery "
    "estimate wide.toml --pilot\n  brewery estimate wide.toml --like "
    "runs/20260101-101500-small --concepts 12";

/// Without a measured run: from few concepts to one per other train task.
constexpr double fewest_concepts = 3;

struct estimate_arguments {
  config_arguments configuration;
  std::string like;
  std::uint32_t concepts = 0;
  bool pilot = false;
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

struct whole_estimate {
  job_counts jobs;
  range concepts;
  std::vector<role_estimate> roles;
  range calls, tokens, cost_usd, seconds;
  std::vector<std::string> unpriced;
  std::size_t at_once = 1;
  std::string measured; ///< the run behind the figures; empty: assumed
};

std::map<std::string, std::string> model_names(const config& options) {
  return {{"agent", options.agent.llm.model},
          {"user", options.user.llm.model},
          {"judge", options.judge.llm.model},
          {"statement_judge", options.statement_judge.llm.model},
          {"reflector", options.reflector.llm.model},
          {"integrator", options.integrator.llm.model},
          {"embedder", options.embedder.model}};
}

result<std::map<std::string, token_price>>
prices_by_role(const config& options, std::vector<std::string>& unpriced) {
  std::map<std::string, token_price> out;
  const auto used = models_used(options);
  if (used.empty()) return out;
  const auto catalog = load_model_catalog(options.models.catalog);
  if (!catalog.problems.empty()) return catalog.problems.front();
  if (auto ok = check_models(options, catalog.value, options.models.catalog);
      !ok)
    return ok.error();
  const auto& models = catalog.value.models;
  for (const auto& name : used)
    if (!models.at(name).price) unpriced.push_back(name);
  for (const auto& [role, name] : model_names(options))
    if (const auto found = models.find(name);
        found != models.end() && found->second.price)
      out[role] = *found->second.price;
  return out;
}

/// The run that is the basis, which --pilot makes; empty: none.
result<std::filesystem::path> measured_run(const estimate_arguments& arguments,
                                           const config& options) {
  if (!arguments.like.empty())
    return locate_run(arguments.like, options.run.runs_dir);
  if (!arguments.pilot) return std::filesystem::path{};
  if (models_used(options).empty())
    return error{ec::invalid_argument,
                 "--pilot measures language models, and no role of this "
                 "configuration uses one; leave it out"};
  return make_pilot(options);
}

result<whole_estimate> make_estimate(const estimate_arguments& arguments,
                                     const config& options) {
  const auto what = load_problem(options);
  if (!what) return what.error();
  const auto tasks = count_tasks(*what);
  whole_estimate out;
  out.concepts =
      arguments.concepts > 0
          ? range{double(arguments.concepts), double(arguments.concepts)}
          : range{
              fewest_concepts,
              std::max(fewest_concepts, std::ceil(double(tasks.train) / 2))};
  if (const double most = options.search.max_concepts; most > 0)
    out.concepts = {std::min(out.concepts.low, most),
                    std::min(out.concepts.high, most)};
  out.jobs = count_jobs(options, tasks, out.concepts);
  auto use = assumed_use(options);
  const auto prices = prices_by_role(options, out.unpriced);
  if (!prices) return prices.error();
  const auto basis = measured_run(arguments, options);
  if (!basis) return basis.error();
  if (!basis->empty()) {
    out.measured = basis->filename().string();
    auto found = measured_use(*basis);
    if (!found) return found.error();
    for (const auto& [role, each] : *found)
      use[role] = each;
    // Measured in one call, the ratings are among the reflector's tokens.
    if (in_one_call(options.judge, options.reflector)
        && found->contains("reflector") && !found->contains("judge"))
      use.erase("judge");
    limit_use(options, use);
  }
  out.roles = estimate_roles(options, out.jobs, use, *prices);
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
      "Rollouts   {}\n           {} to learn from, {} to score "
      "documents, {} to test\n"
      "Documents  {} written, for {} {}\n",
      count_text(all.jobs.rollouts()), count_text(all.jobs.learning),
      count_text(all.jobs.scoring), count_text(all.jobs.testing),
      count_text(all.jobs.integrations), count_text(all.concepts),
      all.concepts.high > 1 ? "concepts" : "concept");
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
  out += fmt::format("Time       {} to {} with {} at once\n",
                     time_text(all.seconds.low / each),
                     time_text(all.seconds.high / each),
                     counted(all.at_once, "job"));
  out += all.measured.empty()
             ? "Calls, tokens and seconds per job are assumed: measure them "
               "with --pilot, or\nname a finished run with --like.\n"
             : fmt::format("Calls, tokens and seconds per job are those of run "
                           "{}.\n",
                           all.measured);
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
                             {"measured", !all.measured.empty()},
                             {"basis", all.measured},
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
  if (arguments.pilot) interrupt_watch::block_signals();
  const auto configuration = usable_config_from(arguments.configuration);
  if (configuration.code != exit_ok) return configuration.code;
  set_up_logging(configuration.value.run.log_level);
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
  command->add_option_function<std::string>(
      "--runs-dir",
      [arguments](const std::string& value) {
        arguments->configuration.overrides.push_back("run.runs_dir=" + value);
      },
      "Directory that holds the runs; same as run.runs_dir.");
  auto* like =
      command->add_option("--like", arguments->like,
                          "Finished run whose recorded calls are the basis.");
  command
      ->add_flag("--pilot", arguments->pilot,
                 "Play two train tasks first and measure them. Calls models.")
      ->excludes(like);
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
