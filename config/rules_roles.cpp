#include "base/toml_reader.hpp"
#include "config/rule_lists.hpp"

#include <algorithm>
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
      {{"search.learner", "agent.kind", "integrator.kind", "reflector.kind"},
       [](const config& c) {
         if (c.search.learner != "muse") return std::string{};
         if (c.agent.kind == "llm")
           return say_if(c.integrator.kind != "llm",
                         "\"muse\" on a model needs integrator.kind = "
                         "\"llm\", which keeps its procedures in order");
         return say_if(c.agent.kind != "procedural"
                           || c.integrator.kind != "procedural"
                           || c.reflector.kind != "procedural",
                       "\"muse\" needs agent.kind = \"llm\" or agent, "
                       "reflector and integrator of kind \"procedural\"");
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
             !c.eval.baselines.empty() && c.agent.kind != "llm"
                 && c.agent.kind != "procedural",
             "these are ways to approach a task: they need agent.kind = "
             "\"llm\" or \"procedural\"");
       }},
      {{"memory_port.command", "eval.baselines"},
       [](const config& c) {
         const bool wanted =
             std::ranges::count(c.eval.baselines, comparators::port) > 0;
         if (!wanted)
           return say_if(!c.memory_port.command.empty(),
                         "has no effect: only the baseline \"memory-port\" "
                         "starts it");
         return say_if(c.memory_port.command.empty(),
                       "the baseline \"memory-port\" needs the program to "
                       "start, e.g. [\"python3\", \"memory.py\"]");
       }},
      {{"memory_port.package", "eval.baselines"},
       [](const config& c) {
         return say_if(std::ranges::count(c.eval.baselines, comparators::port)
                               > 0
                           && c.memory_port.package.empty(),
                       "tables name the package of \"memory-port\": set its "
                       "name and version, e.g. \"cognee 1.6.5\"");
       }},
      {{"eval.baselines", "agent.format"},
       [](const config& c) {
         return say_if(!c.eval.baselines.empty() && c.agent.format != "tools",
                       "these prompting methods are for agent.format = "
                       "\"tools\"");
       }},
      {{"agent.format", "agent.kind"},
       [](const config& c) {
         return say_if(c.agent.format != "tools" && c.agent.kind != "llm",
                       "has no effect with agent.kind = "
                           + quote_toml(c.agent.kind)
                           + ": only \"llm\" has formats");
       }},
      {{"agent.grounder_model", "agent.format"},
       [](const config& c) {
         const bool gta1 = c.agent.format == "gta1";
         const auto& model = c.agent.grounder_model;
         if (gta1 && model.empty())
           return say_if(true, "format = \"gta1\" needs the name of a model "
                               "that finds places on screenshots");
         return say_if(!gta1 && !model.empty(),
                       "has no effect with agent.format = "
                           + quote_toml(c.agent.format)
                           + ": only \"gta1\" asks it");
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
