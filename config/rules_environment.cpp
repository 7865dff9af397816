#include "base/toml_reader.hpp"
#include "cluster/job_spec.hpp"
#include "config/rule_lists.hpp"

#include <algorithm>

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

} // namespace

std::vector<config_rule> environment_rules() {
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

} // namespace brewery
