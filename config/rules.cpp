#include "config/rules.hpp"

#include "base/text.hpp"
#include "base/toml_reader.hpp"
#include "config/budget_limits.hpp"
#include "config/model_use.hpp"
#include "config/option.hpp"
#include "config/rule_lists.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace brewery {

namespace {

constexpr double lambda_tolerance = 1e-9;

bool is_run_name(const std::string& name) {
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
           || (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '_';
  };
  return std::all_of(name.begin(), name.end(), allowed)
         && !name.starts_with('.') && !name.starts_with('-');
}

bool is_host_and_port(const std::string& address) {
  const auto colon = address.rfind(':');
  if (colon == std::string::npos || colon == 0) return false;
  return whole_number<std::uint16_t>(address.substr(colon + 1)).has_value();
}

std::vector<config_rule> run_rules() {
  return {
      {{"run.name"},
       [](const config& c) {
         return say_if(
             !is_run_name(c.run.name),
             "expected letters, digits, dots, dashes and underscores, "
             "not beginning with a dot or dash");
       }},
      {{"run.metrics_listen"},
       [](const config& c) {
         const auto& address = c.run.metrics_listen;
         return say_if(!address.empty() && !is_host_and_port(address),
                       "expected host:port, e.g. \"127.0.0.1:9464\"");
       }},
      {{"run.runs_dir"},
       [](const config& c) {
         return say_if(c.run.runs_dir.empty(), "a run needs a directory");
       }},
  };
}

std::vector<config_rule> search_rules() {
  return {
      {{"search.strategies", "search.final_evaluation"},
       [](const config& c) {
         return say_if(
             c.search.strategies.empty() && !c.search.final_evaluation,
             "without a strategy and without the final evaluation there is "
             "nothing to do: name one or use --set "
             "search.final_evaluation=true");
       }},
      {{"search.learner", "eval.leave_one_out"},
       [](const config& c) {
         return say_if(c.search.learner != "brew" && c.eval.leave_one_out,
                       "a memory has no documents that could be left out one "
                       "by one: only with search.learner = \"brew\"");
       }},
      {{"agent_kb.learn", "agent_kb.start_from"},
       [](const config& c) {
         return say_if(!c.agent_kb.learn && c.agent_kb.start_from.empty(),
                       "a memory that does not learn needs something to begin "
                       "with: set agent_kb.start_from");
       }},
      {{"agent_kb.compare"},
       [](const config& c) {
         const std::set<std::string> distinct(c.agent_kb.compare.begin(),
                                              c.agent_kb.compare.end());
         return say_if(distinct.size() != c.agent_kb.compare.size(),
                       "an arm is listed twice");
       }},
      {{"search.strategies"},
       [](const config& c) {
         const auto& strategies = c.search.strategies;
         const std::set<std::string> distinct(strategies.begin(),
                                              strategies.end());
         return say_if(distinct.size() != strategies.size(),
                       "a strategy is listed twice");
       }},
      {{"search.lambda_correctness", "search.lambda_retrieval"},
       [](const config& c) {
         const double sum = c.search.tree.weights.correctness
                            + c.search.tree.weights.retrieval;
         return say_if(
             std::abs(sum - 1) > lambda_tolerance,
             fmt::format("with search.lambda_retrieval = {} the sum is {}, "
                         "expected 1",
                         write_toml(c.search.tree.weights.retrieval), sum));
       }},
      {{"search.gather_quorum"},
       [](const config& c) {
         return say_if(c.search.gather_quorum <= 0,
                       "expected more than 0, at most 1: a barrier must wait "
                       "for at least one tree");
       }},
      {{"eval.max_per_concept", "eval.min_per_concept"},
       [](const config& c) {
         return say_if(c.eval.max_per_concept < c.eval.min_per_concept,
                       fmt::format("is less than eval.min_per_concept = {}",
                                   c.eval.min_per_concept));
       }},
  };
}

std::vector<config_rule> economy_rules() {
  return {
      {{"economy.reuse", "agent.temperature"},
       [](const config& c) {
         const auto draws = [](const auto& role) {
           return role.kind == "llm" && role.llm.temperature != 0.0;
         };
         return say_if(c.economy.reuse != "off"
                           && (draws(c.agent) || draws(c.user)
                               || draws(c.statement_judge)),
                       "a model that draws does not repeat itself, so no "
                       "rollout may stand for another: set the temperature of "
                       "agent, user and statement_judge to 0");
       }},
      {{"economy.reuse", "environment.kind"},
       [](const config& c) {
         return say_if(c.economy.reuse != "off" && c.environment.runs_program(),
                       "whether a program of others repeats itself is not "
                       "known, so none of its rollouts may stand for another");
       }},
      {{"economy.reuse", "environment.kind"},
       [](const config& c) {
         return say_if(c.economy.reuse != "off"
                           && c.environment.kind == "osworld",
                       "a desktop takes its time, so what an agent sees of it "
                       "is not the same twice, and none of its rollouts may "
                       "stand for another");
       }},
      {{"economy.reuse_from", "economy.reuse"},
       [](const config& c) {
         return say_if(!c.economy.reuse_from.empty()
                           && c.economy.reuse == "off",
                       "nothing is reused, so no run can be reused from: set "
                       "economy.reuse = \"run\"");
       }},
      {{"economy.reuse_from", "search.learner"},
       [](const config& c) {
         return say_if(!c.economy.reuse_from.empty()
                           && c.search.learner != "brew",
                       "only rollouts of the learner \"brew\" can stand for "
                       "those of other runs");
       }},
      {{"search.publish_newest", "economy.rescore"},
       [](const config& c) {
         return say_if(c.search.tree.publish_newest && c.economy.rescore,
                       "the newest version is published whatever its score, so "
                       "none has to be scored again: set economy.rescore = "
                       "false");
       }},
      {{"economy.racing", "search.strategies"},
       [](const config& c) {
         const auto& all = c.search.strategies;
         const bool none =
             c.search.tree.publish_newest
             || (!all.empty() && std::ranges::all_of(all, [](const auto& how) {
                  return how == "iterative";
                }));
         return say_if(c.economy.racing > 0 && none,
                       "no version has to beat another with the strategy "
                       "iterative or with search.publish_newest, so none "
                       "races: set economy.racing = 0");
       }},
      {{"economy.audit_reuse", "economy.reuse"},
       [](const config& c) {
         return say_if(c.economy.audit_reuse > 0 && c.economy.reuse == "off",
                       "nothing is reused that could be audited");
       }},
  };
}

std::vector<config_rule> budget_rules() {
  return {
      {{"budget.roles"},
       [](const config& c) {
         std::set<std::string> seen;
         for (const auto& text : c.budget.roles) {
           const auto limit = parse_role_limit(text);
           if (!limit) return limit.error().message;
           if (!seen.insert(limit->first).second)
             return "the " + limit->first + " is listed twice";
         }
         return std::string{};
       }},
  };
}

} // namespace

const std::vector<config_rule>& config_rules() {
  static const std::vector<config_rule> rules = [] {
    auto all = run_rules();
    for (auto more : {environment_rules(), search_rules(), economy_rules(),
                      role_rules(), budget_rules()})
      all.insert(all.end(), more.begin(), more.end());
    return all;
  }();
  return rules;
}

std::string place(const loaded_config& loaded, const std::string& key) {
  const auto* item = find_option(key);
  BREWERY_ASSERT(item);
  const auto origin = loaded.origins.find(key);
  const auto where =
      origin == loaded.origins.end() ? "default" : origin->second;
  return where + ": " + key + " = " + write_toml(item->get(loaded.value));
}

std::vector<error> missing_inputs(const loaded_config& loaded) {
  std::vector<error> missing;
  const auto report = [&](ec code, const std::string& key, const char* what) {
    missing.push_back({code, place(loaded, key) + ": " + what});
  };
  std::error_code ignored;
  const auto& data = loaded.value.environment.data;
  if (data.empty() && loaded.value.environment.needs_data())
    report(ec::invalid_config, "environment.data",
           "this environment needs a data directory, use --set "
           "environment.data=DIRECTORY");
  else if (!data.empty() && !std::filesystem::is_directory(data, ignored))
    report(ec::not_found, "environment.data", "no such directory");
  const auto& catalog = loaded.value.models.catalog;
  if (catalog.empty() && !models_used(loaded.value).empty())
    report(
        ec::invalid_config, "models.catalog",
        "a role uses a language model: name the models file (docs/models.md)");
  else if (!catalog.empty()
           && !std::filesystem::is_regular_file(catalog, ignored))
    report(ec::not_found, "models.catalog",
           std::filesystem::is_directory(catalog, ignored)
               ? "is a directory; name the models file"
               : "no such file");
  const auto& rubrics = loaded.value.judge.rubrics;
  if (!rubrics.empty() && !std::filesystem::is_regular_file(rubrics, ignored))
    report(ec::not_found, "judge.rubrics", "no such file");
  const auto& script = loaded.value.agent.script;
  if (!script.empty() && !std::filesystem::is_directory(script, ignored))
    report(ec::not_found, "agent.script", "no such directory");
  const auto& memory = loaded.value.muse.memory;
  if (!memory.empty() && !std::filesystem::is_directory(memory, ignored))
    report(ec::not_found, "muse.memory", "no such directory");
  const auto& first = loaded.value.agent_kb.start_from;
  if (loaded.value.search.learner.starts_with("agent_kb") && !first.empty()
      && !std::filesystem::is_directory(first, ignored))
    report(ec::not_found, "agent_kb.start_from", "no such directory");
  const auto& model = loaded.value.embedder.model_file;
  if (!model.empty() && !std::filesystem::is_regular_file(model, ignored))
    report(ec::not_found, "embedder.model_file", "no such file");
  const auto& prompts = loaded.value.prompts.dir;
  if (!prompts.empty() && !std::filesystem::is_directory(prompts, ignored))
    report(ec::not_found, "prompts.dir", "no such directory");
  return missing;
}

} // namespace brewery
