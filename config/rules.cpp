#include "config/rules.hpp"

#include "base/toml_reader.hpp"
#include "cluster/job_spec.hpp"
#include "config/budget_limits.hpp"
#include "config/model_use.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
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
  unsigned port = 0;
  const char* end = address.data() + address.size();
  const auto [stop, failed] =
      std::from_chars(address.data() + colon + 1, end, port);
  return failed == std::errc{} && stop == end && port <= 65535;
}

std::string say_if(bool broken, std::string what) {
  return broken ? std::move(what) : std::string{};
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

/// What `draw_from` stands in for.
template <class T>
config_rule of_no_draw(const char* key, T environment_options::*member) {
  return {{key, "environment.draw_from"}, [member](const config& c) {
            return say_if(!c.environment.draw_from.empty()
                              && c.environment.*member
                                     != environment_options{}.*member,
                          "has no effect beside environment.draw_from = "
                              + quote_toml(c.environment.draw_from)
                              + ": remove one of them");
          }};
}

template <class T>
config_rule of_a_draw(const char* key, T environment_options::*member) {
  return {{key, "environment.draw_from"}, [member](const config& c) {
            return say_if(c.environment.draw_from.empty()
                              && c.environment.*member
                                     != environment_options{}.*member,
                          "has no effect without environment.draw_from, the "
                          "split to draw from");
          }};
}

std::vector<config_rule> environment_rules() {
  return {
      of_no_draw("environment.train_split", &environment_options::train_split),
      of_no_draw("environment.eval_split", &environment_options::eval_split),
      of_no_draw("environment.eval_fraction",
                 &environment_options::eval_fraction),
      of_no_draw("environment.test_split", &environment_options::test_split),
      of_a_draw("environment.draw_train", &environment_options::draw_train),
      of_a_draw("environment.draw_eval", &environment_options::draw_eval),
      of_a_draw("environment.draw_seed", &environment_options::draw_seed),
      {{"environment.external.command", "environment.kind"},
       [](const config& c) {
         const auto& kind = c.environment.kind;
         const auto& command = c.environment.external.command;
         if (kind == "external")
           return say_if(command.empty(),
                         "an external environment needs the program to start, "
                         "e.g. [\"python3\", \"lock.py\"]");
         return say_if(!command.empty(),
                       "has no effect with environment.kind = "
                           + quote_toml(kind)
                           + ": only \"external\" starts it");
       }},
      {{"environment.tau2_official.user_model", "environment.kind",
        "environment.tau2_official.domain"},
       [](const config& c) {
         const auto& official = c.environment.tau2_official;
         return say_if(c.environment.kind == "tau2-official"
                           && official.domain != "telecom"
                           && official.user_model.empty(),
                       "the domain " + official.domain
                           + " needs a user to talk to: name a model, or use "
                             "environment.tau2_official.domain = \"telecom\", "
                             "which has a solo mode");
       }},
      {{"environment.spreadsheet.unsafe_run_without_isolation",
        "environment.spreadsheet.isolation"},
       [](const config& c) {
         const auto& e = c.environment.spreadsheet;
         return say_if(e.unsafe_run_without_isolation && e.isolation != "auto",
                       "isolation " + quote_toml(e.isolation)
                           + " is asked for by name: remove one of them");
       }},
      {{"user.kind", "environment.kind", "environment.tau2.mode"},
       [](const config& c) {
         const auto& e = c.environment;
         const bool talks =
             e.tau2.mode == "user"
                 ? e.table() == "tau2"
                 : e.kind == "tau2-retail" || e.kind == "tau2-airline";
         return say_if(talks && c.user.kind == "none",
                       "the agent of " + e.kind
                           + " talks with a user: use user.kind = \"llm\" and "
                             "name a model");
       }},
      {{"environment.needs"},
       [](const config& c) {
         const auto& needs = c.environment.needs;
         return say_if(!std::all_of(needs.begin(), needs.end(), is_tag),
                       "expected tags of workers: " + std::string{tag_rule});
       }},
      {{"environment.train_split"},
       [](const config& c) {
         return say_if(c.environment.train_split.empty(),
                       "the search needs a split to learn from");
       }},
      {{"environment.eval_split", "environment.train_split"},
       [](const config& c) {
         const auto& e = c.environment;
         return say_if(!e.eval_split.empty() && e.eval_split == e.train_split,
                       "is the train split too: leave it empty to hold out a "
                       "part of that");
       }},
      {{"environment.eval_fraction", "environment.eval_split"},
       [](const config& c) {
         const auto& e = c.environment;
         return say_if(!e.eval_split.empty()
                           && e.eval_fraction
                                  != environment_options{}.eval_fraction,
                       "has no effect beside environment.eval_split = "
                           + quote_toml(e.eval_split) + ": remove one of them");
       }},
      {{"environment.test_split", "environment.train_split",
        "environment.eval_split"},
       [](const config& c) {
         const auto& e = c.environment;
         return say_if(
             !e.test_split.empty()
                 && (e.test_split == e.train_split
                     || e.test_split == e.eval_split),
             "the search uses this split, so it cannot be the test split");
       }},
      {{"environment.test_split", "search.final_evaluation"},
       [](const config& c) {
         return say_if(
             c.environment.test_split.empty() && c.search.final_evaluation,
             "the final evaluation needs a test split: name one or use --set "
             "search.final_evaluation=false");
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

/// A role on a model must name the model.
template <class Options>
config_rule needs_model(const std::string& role, Options config::*part) {
  return {{role + ".model", role + ".kind"}, [part](const config& c) {
            const auto& chosen = c.*part;
            bool lacks = false;
            if constexpr (requires { chosen.llm; })
              lacks = chosen.llm.model.empty();
            else
              lacks = chosen.model.empty();
            return say_if(chosen.kind == "llm" && lacks,
                          "kind = \"llm\" needs the name of a model");
          }};
}

std::vector<config_rule> role_rules() {
  return {
      {{"agent.script", "agent.kind"},
       [](const config& c) {
         if (c.agent.kind == "scripted")
           return say_if(c.agent.script.empty(),
                         "kind = \"scripted\" needs a directory of scripts, "
                         "e.g. examples/spreadsheets/cells");
         return say_if(!c.agent.script.empty(),
                       "has no effect with agent.kind = "
                           + quote_toml(c.agent.kind)
                           + ": only \"scripted\" reads it");
       }},
      needs_model("agent", &config::agent),
      needs_model("reflector", &config::reflector),
      needs_model("integrator", &config::integrator),
      needs_model("judge", &config::judge),
      needs_model("embedder", &config::embedder),
      needs_model("user", &config::user),
      needs_model("statement_judge", &config::statement_judge),
      {{"integrator.kind", "reflector.kind"},
       [](const config& c) {
         return say_if(c.integrator.kind == "procedural"
                           && c.reflector.kind == "llm",
                       "a procedural integrator counts facts, but insights of "
                       "a model are sentences: use --set integrator.kind=llm, "
                       "or reflector.kind=procedural");
       }},
      {{"retrieval.when_stuck", "retrieval.per_observation"},
       [](const config& c) {
         return say_if(c.retrieval.when_stuck && c.retrieval.per_observation,
                       "an agent that asks after every observation is never "
                       "without: use --set retrieval.per_observation=false");
       }},
      {{"retrieval.when_stuck", "agent.kind"},
       [](const config& c) {
         return say_if(c.retrieval.when_stuck && c.agent.kind != "procedural",
                       "only agent.kind = \"procedural\" knows when no rule is "
                       "left");
       }},
      {{"integrator.drafts", "integrator.kind"},
       [](const config& c) {
         return say_if(c.integrator.kind != "procedural"
                           && (c.integrator.drafts != "usual"
                               || c.integrator.max_rules > 0),
                       "drafts and max_rules are for integrator.kind = "
                       "\"procedural\"");
       }},
      {{"environment.plant.families", "environment.plant.machines"},
       [](const config& c) {
         return say_if(c.environment.plant.families
                           > c.environment.plant.machines,
                       "a family has at least one kind of machine");
       }},
      {{"eval.baselines", "agent.kind"},
       [](const config& c) {
         return say_if(
             !c.eval.baselines.empty() && c.agent.kind != "llm",
             "these are prompting methods: they need agent.kind = \"llm\"");
       }},
      {{"eval.baselines", "search.final_evaluation"},
       [](const config& c) {
         return say_if(!c.eval.baselines.empty() && !c.search.final_evaluation,
                       "they are arms of the final evaluation, which is off");
       }},
      {{"eval.baselines"},
       [](const config& c) {
         const auto& baselines = c.eval.baselines;
         const std::set<std::string> distinct(baselines.begin(),
                                              baselines.end());
         return say_if(distinct.size() != baselines.size(),
                       "a baseline is listed twice");
       }},
  };
}

} // namespace

const std::vector<config_rule>& config_rules() {
  static const std::vector<config_rule> rules = [] {
    auto all = run_rules();
    for (auto more :
         {environment_rules(), search_rules(), role_rules(), budget_rules()})
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
    report(ec::not_found, "models.catalog", "no such file");
  const auto& rubrics = loaded.value.judge.rubrics;
  if (!rubrics.empty() && !std::filesystem::is_regular_file(rubrics, ignored))
    report(ec::not_found, "judge.rubrics", "no such file");
  const auto& script = loaded.value.agent.script;
  if (!script.empty() && !std::filesystem::is_directory(script, ignored))
    report(ec::not_found, "agent.script", "no such directory");
  const auto& prompts = loaded.value.prompts.dir;
  if (!prompts.empty() && !std::filesystem::is_directory(prompts, ignored))
    report(ec::not_found, "prompts.dir", "no such directory");
  return missing;
}

} // namespace brewery
