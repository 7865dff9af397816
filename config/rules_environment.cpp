#include "base/text.hpp"
#include "base/toml_reader.hpp"
#include "cluster/job_spec.hpp"
#include "config/rule_lists.hpp"

#include <algorithm>
#include <set>

namespace brewery {

namespace {

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

/// Whether desktops are machines of a list.
bool has_fixed_desktops(const config& c) {
  return c.environment.kind == "osworld"
         && c.environment.osworld.provider == "static";
}

/// A machine that the list has twice, as HOST:PORT; empty: none. Two rollouts
/// would have one desktop.
std::string listed_twice(const std::vector<std::string>& desktops) {
  std::set<std::string> seen;
  for (const auto& text : desktops) {
    const auto parts = split(text, ':');
    const auto machine = std::string{parts[0]} + ":"
                         + (parts.size() > 1 ? std::string{parts[1]} : "5000");
    if (!seen.insert(machine).second) return machine;
  }
  return {};
}

/// What desktops that somebody else runs need before any of them is asked for.
std::vector<config_rule> fixed_desktop_rules() {
  const char* const list = "environment.osworld.static_desktops";
  const char* const provider = "environment.osworld.provider";
  return {
      {{list, provider, "environment.kind"},
       [](const config& c) {
         const auto& o = c.environment.osworld;
         if (!has_fixed_desktops(c)) return std::string{};
         if (o.static_desktops.empty())
           return std::string{"environment.osworld.provider = \"static\" needs "
                              "at least one machine, e.g. [\"10.0.0.5\"]"};
         const auto twice = listed_twice(o.static_desktops);
         return say_if(!twice.empty(), twice
                                           + " is listed twice, and a desktop "
                                             "is for one rollout at a time: "
                                             "remove one of them");
       }},
      {{"environment.osworld.static_reset", provider, "environment.kind"},
       [](const config& c) {
         return say_if(has_fixed_desktops(c)
                           && c.environment.osworld.static_reset.empty(),
                       "environment.osworld.provider = \"static\" needs a "
                       "program that resets a machine, e.g. [\"./reset.sh\", "
                       "\"{host}\"]");
       }}};
}

std::vector<config_rule> rules_of_environments() {
  return {
      of_no_draw("environment.train_split", &environment_options::train_split),
      of_no_draw("environment.eval_split", &environment_options::eval_split),
      of_no_draw("environment.eval_fraction",
                 &environment_options::eval_fraction),
      of_no_draw("environment.hold_out_seed",
                 &environment_options::hold_out_seed),
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
      {{"environment.spreadsheet.eval_tasks", "environment.kind",
        "environment.eval_split", "environment.draw_from"},
       [](const config& c) {
         const auto& e = c.environment;
         return say_if(e.kind == "spreadsheet" && e.spreadsheet.eval_tasks == 0
                           && e.draw_from.empty() && e.eval_split == "eval",
                       "leaves no task for environment.eval_split = \"eval\": "
                       "draw some, or leave that empty to hold out a part of "
                       "the train split");
       }},
      {{"environment.plant.families", "environment.plant.machines"},
       [](const config& c) {
         return say_if(c.environment.plant.families
                           > c.environment.plant.machines,
                       "a family has at least one kind of machine");
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
      {{"environment.hold_out_seed", "environment.eval_split"},
       [](const config& c) {
         const auto& e = c.environment;
         return say_if(!e.eval_split.empty() && e.hold_out_seed != 0,
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

} // namespace

std::vector<config_rule> environment_rules() {
  auto rules = fixed_desktop_rules();
  auto others = rules_of_environments();
  rules.insert(rules.end(), others.begin(), others.end());
  return rules;
}

} // namespace brewery
