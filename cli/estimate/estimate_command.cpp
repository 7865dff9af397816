/// `brewery estimate`: jobs, tokens, time and cost of a run, before it is run.

#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/configuration.hpp"
#include "cli/estimate/measured_use.hpp"
#include "cli/estimate/model_prices.hpp"
#include "cli/estimate/pilot.hpp"
#include "cli/json_line.hpp"
#include "cli/locate.hpp"
#include "cli/logging.hpp"
#include "cli/terminal.hpp"
#include "config/model_use.hpp"
#include "run/interrupt.hpp"
#include "run/setup/run_checks.hpp"

#include <fmt/format.h>

#include <algorithm>

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

struct estimate_arguments {
  config_arguments configuration;
  std::string like;
  std::uint32_t concepts = 0;
  bool pilot = false;
  bool json = false;
};

struct whole_estimate {
  job_counts jobs;
  range concepts;
  std::vector<role_estimate> roles;
  range calls, tokens, cost_usd, seconds;
  std::vector<std::string> unpriced;
  std::size_t at_once = 1;
  std::string measured; ///< the run behind the figures; empty: assumed
};

/// The run that is the basis, which --pilot makes; empty: none.
result<std::filesystem::path> run_to_go_by(const estimate_arguments& arguments,
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
  if (auto ok = check_texts(options); !ok) return ok.error();
  const auto what = load_problem(options);
  if (!what) return what.error();
  const auto tasks = count_tasks(*what);
  whole_estimate out;
  out.concepts = possible_concepts(options, tasks);
  if (arguments.concepts > 0) {
    const double most =
        options.search.max_concepts > 0
            ? std::min(arguments.concepts, options.search.max_concepts)
            : arguments.concepts;
    out.concepts = {most, most};
  }
  out.jobs = count_jobs(options, tasks, out.concepts);
  auto use = assumed_use(options);
  const auto prices = prices_by_role(options, out.unpriced);
  if (!prices) return prices.error();
  const auto basis = run_to_go_by(arguments, options);
  if (!basis) return basis.error();
  if (!basis->empty()) {
    out.measured = basis->filename().string();
    auto found = measured_use(*basis, options.environment);
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
  out.at_once = jobs_at_once(options);
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
