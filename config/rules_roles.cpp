#include "base/toml_reader.hpp"
#include "config/rule_lists.hpp"

#include <set>

namespace brewery {

namespace {

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

} // namespace

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
      needs_model("memory", &config::memory),
      needs_model("embedder", &config::embedder),
      {{"embedder.model_file", "embedder.kind"},
       [](const config& c) {
         const bool sentence = c.embedder.kind == "sentence";
         if (sentence)
           return say_if(c.embedder.model_file.empty(),
                         "kind = \"sentence\" needs the file of a sentence "
                         "model (docs/models.md)");
         return say_if(!c.embedder.model_file.empty(),
                       "has no effect with embedder.kind = "
                           + quote_toml(c.embedder.kind)
                           + ": only \"sentence\" reads it");
       }},
      {{"retrieval.bm25_weight", "retrieval.dense_weight", "retrieval.kind"},
       [](const config& c) {
         const auto& fusion = c.retrieval.fusion;
         return say_if(c.retrieval.kind == "hybrid" && fusion.bm25_weight == 0
                           && fusion.dense_weight == 0,
                       "with retrieval.dense_weight = 0 too nothing could be "
                       "found: give one of them a weight");
       }},
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

} // namespace brewery
