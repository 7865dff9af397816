#include "config/declare.hpp"

namespace brewery {

namespace {

const char* const kind_sentence =
    "Implementation; procedural needs no language model, llm asks one.";

option_facts role_kinds() {
  return {.choices = {"procedural", "llm"}};
}

option_facts agent_kinds() {
  return {.choices = {"procedural", "llm", "scripted"}};
}

option_facts participant_kinds() {
  return {.choices = {"none", "llm"}};
}

/// Adds the options of a role's model. `sampled`: it has its own temperature.
template <class Options>
void add_model(section_of<Options>& s, role_model Options::*llm,
               bool sampled = true) {
  s.add(at(llm, &role_model::model), "model",
        "Of kind llm: the model, by the name the configuration gives it.");
  if (sampled)
    s.add(at(llm, &role_model::temperature), "temperature",
          "Of kind llm: how freely the model draws; below 0 none is sent, as "
          "reasoning models want it.",
          {.min = no_number, .max = 2});
  s.add(at(llm, &role_model::max_tokens), "max_tokens",
        "Of kind llm: most tokens of a reply, reasoning included; 0 leaves it "
        "to the server.",
        {.unit = "tokens", .min = 0, .max = 1e6});
  s.add(at(llm, &role_model::reasoning_effort), "reasoning_effort",
        "Of kind llm: sent to reasoning models, e.g. \"low\"; empty for "
        "none.");
  s.add(at(llm, &role_model::send_seed), "send_seed",
        "Of kind llm: send a seed that follows from run.seed, the job and the "
        "call.");
}

} // namespace

option_section retrieval_section() {
  section_of<retrieval_options> s{&config::retrieval, "retrieval",
                                  "How the agent finds documents."};
  s.add(&retrieval_options::top_k, "top_k", "Documents the agent is shown.",
        {.unit = "documents", .min = 1, .max = 100});
  s.add(&retrieval_options::per_observation, "per_observation",
        "Search again after every observation, not only at the start.");
  s.add(at(&retrieval_options::bm25, &bm25_options::k1), "bm25_k1",
        "How slowly a repeated term stops counting more (BM25 k1).",
        {.min = 0, .max = 10});
  s.add(at(&retrieval_options::bm25, &bm25_options::b), "bm25_b",
        "How much long documents are held back (BM25 b).",
        {.min = 0, .max = 1});
  return s.take();
}

option_section prompts_section() {
  section_of<prompt_options> s{
      &config::prompts, "prompts",
      "The texts that roles on a language model send."};
  s.add(&prompt_options::dir, "dir",
        "Directory whose files NAME.md replace those of config/prompts, one by "
        "one; empty for none.");
  return s.take();
}

option_section agent_section() {
  section_of<agent_options> s{&config::agent, "agent",
                              "The role that plays the tasks."};
  s.add(&agent_options::kind, "kind",
        "Implementation; procedural needs no language model, llm asks one, "
        "scripted replays a file of calls for each task.",
        agent_kinds());
  add_model(s, &agent_options::llm);
  s.add(&agent_options::max_calls, "max_calls",
        "Most tool calls of a rollout; of an agent on a model, turns of words "
        "count too.",
        {.unit = "calls", .min = 1, .max = 100000});
  s.add(&agent_options::explore, "explore",
        "Of kind procedural: try things where the documents are silent.");
  s.add(
      &agent_options::explore_writes, "explore_writes",
      "Of kind procedural: most calls of a rollout that change something only "
      "to see what happens.",
      {.unit = "calls", .min = 0, .max = 100000});
  s.add(&agent_options::script, "script",
        "Of kind scripted: directory with a file TASK.json of calls for each "
        "task; a task without one is not attempted.");
  s.add(&agent_options::example_tokens, "example_tokens",
        "Most tokens of the examples that the baseline in-context shows, all "
        "together.",
        {.unit = "tokens", .min = 1, .max = 1e6});
  return s.take();
}

option_section reflector_section() {
  section_of<reflector_options> s{
      &config::reflector, "reflector",
      "The role that turns a graded rollout into insights."};
  s.add(&reflector_options::kind, "kind", kind_sentence, role_kinds());
  add_model(s, &reflector_options::llm);
  s.add(&reflector_options::max_insights, "max_insights",
        "Of kind llm: most insights that a rollout may give.",
        {.unit = "insights", .min = 1, .max = 1000});
  return s.take();
}

option_section integrator_section() {
  section_of<integrator_options> s{
      &config::integrator, "integrator",
      "The role that writes a document from insights."};
  s.add(&integrator_options::kind, "kind", kind_sentence, role_kinds());
  add_model(s, &integrator_options::llm, false);
  s.add(&integrator_options::send_temperature, "send_temperature",
        "Of kind llm: send search.integrator_temperature; reasoning models "
        "want none.");
  return s.take();
}

option_section judge_section() {
  section_of<judge_options> s{
      &config::judge, "judge",
      "The role that rates a rollout's behaviour on rubrics."};
  s.add(&judge_options::kind, "kind", kind_sentence, role_kinds());
  add_model(s, &judge_options::llm);
  s.add(&judge_options::rubrics, "rubrics",
        "Of kind llm: file of rubrics, like config/rubrics/general.toml; empty "
        "for the built-in ones.");
  return s.take();
}

option_section embedder_section() {
  section_of<embedder_options> s{&config::embedder, "embedder",
                                 "The role that turns texts into vectors, so "
                                 "that near ones can be found."};
  s.add(&embedder_options::kind, "kind", kind_sentence, role_kinds());
  s.add(&embedder_options::dimensions, "dimensions",
        "Of kind procedural: length of a vector.",
        {.unit = "numbers", .min = 8, .max = 65536});
  s.add(&embedder_options::model, "model",
        "Of kind llm: the model, by the name the configuration gives it.");
  s.add(&embedder_options::model_dimensions, "model_dimensions",
        "Of kind llm: length of a vector to ask the model for; 0 is its own.",
        {.unit = "numbers", .min = 0, .max = 65536});
  s.add(&embedder_options::batch, "batch", "Of kind llm: texts per call.",
        {.unit = "texts", .min = 1, .max = 2048});
  return s.take();
}

option_section user_section() {
  section_of<user_options> s{
      &config::user, "user",
      "Who plays the user in benchmarks where the agent talks to one."};
  s.add(&user_options::kind, "kind",
        "Implementation; with none, only tasks without a user can be played.",
        participant_kinds());
  add_model(s, &user_options::llm);
  return s.take();
}

option_section statement_judge_section() {
  section_of<statement_judge_options> s{
      &config::statement_judge, "statement_judge",
      "Who decides a benchmark's assertions in natural language."};
  s.add(&statement_judge_options::kind, "kind",
        "Implementation; with none, only tasks without such assertions can be "
        "played.",
        participant_kinds());
  add_model(s, &statement_judge_options::llm);
  return s.take();
}

} // namespace brewery
