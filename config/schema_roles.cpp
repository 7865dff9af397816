#include "config/declare.hpp"

namespace brewery {

namespace {

const char* const kind_sentence =
    "Implementation. procedural: without a language model. llm: with one.";

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
        "Kind llm: the name of the model in the models file.");
  if (sampled)
    s.add(at(llm, &role_model::temperature), "temperature",
          "Kind llm: sampling temperature. Below 0, none is sent, as reasoning "
          "models require.",
          {.min = no_number, .max = 2});
  s.add(at(llm, &role_model::max_tokens), "max_tokens",
        "Kind llm: maximum tokens of a reply, including reasoning; 0: the "
        "server's default.",
        {.unit = "tokens", .min = 0, .max = 1e6});
  s.add(at(llm, &role_model::reasoning_effort), "reasoning_effort",
        "Kind llm: reasoning effort, sent to reasoning models, e.g. \"low\"; "
        "empty: none.");
  s.add(at(llm, &role_model::send_seed), "send_seed",
        "Kind llm: send a seed, derived from run.seed, the job and the call.");
}

} // namespace

option_section retrieval_section() {
  section_of<retrieval_options> s{&config::retrieval, "retrieval",
                                  "Retrieval of documents for the agent."};
  s.add(&retrieval_options::kind, "kind",
        "bm25: by words. dense: by vectors of the embedder. hybrid: by both, "
        "with reciprocal rank fusion.",
        {.choices = {"bm25", "dense", "hybrid"}});
  s.add(&retrieval_options::top_k, "top_k",
        "Number of documents that the agent gets.",
        {.unit = "documents", .min = 1, .max = 100});
  s.add(&retrieval_options::per_observation, "per_observation",
        "Retrieve again after every observation, not only at the start. No "
        "effect for a model that talks with a user, which retrieves after "
        "each turn of the user, and on desktops.");
  s.add(&retrieval_options::when_stuck, "when_stuck",
        "Agent of kind procedural, with per_observation = false: retrieve "
        "again, with what all looks report, when no rule of a document is "
        "left to follow and none says that the task is done.");
  s.add(at(&retrieval_options::bm25, &bm25_options::k1), "bm25_k1",
        "BM25 k1: saturation of term frequency. Larger values give repeated "
        "terms more weight.",
        {.min = 0, .max = 10});
  s.add(at(&retrieval_options::bm25, &bm25_options::b), "bm25_b",
        "BM25 b: length normalisation, from 0 (none) to 1 (full).",
        {.min = 0, .max = 1});
  s.add(at(&retrieval_options::fusion, &fusion_options::k), "rrf_k",
        "Kind hybrid: a document scores weight / (rrf_k + rank) in each of the "
        "two rankings. Larger values give lower ranks more weight.",
        {.unit = "ranks", .min = 0, .max = 100000});
  s.add(at(&retrieval_options::fusion, &fusion_options::bm25_weight),
        "bm25_weight", "Kind hybrid: weight of the ranking by words; 0: none.",
        {.min = 0, .max = 1000});
  s.add(at(&retrieval_options::fusion, &fusion_options::dense_weight),
        "dense_weight",
        "Kind hybrid: weight of the ranking by vectors; 0: none.",
        {.min = 0, .max = 1000});
  return s.take();
}

option_section prompts_section() {
  section_of<prompt_options> s{
      &config::prompts, "prompts",
      "Prompts of the roles that use a language model."};
  s.add(&prompt_options::dir, "dir",
        "A directory with files NAME.md that replace files of config/prompts; "
        "empty: none.");
  return s.take();
}

option_section agent_section() {
  section_of<agent_options> s{&config::agent, "agent",
                              "The role that plays the tasks."};
  s.add(&agent_options::kind, "kind",
        "Implementation. procedural: without a language model. llm: with one. "
        "scripted: replays a file of calls for each task.",
        agent_kinds());
  add_model(s, &agent_options::llm);
  s.add(&agent_options::max_calls, "max_calls",
        "Maximum number of tool calls of a rollout. For an agent of kind llm, "
        "turns without a call count too.",
        {.unit = "calls", .min = 1, .max = 100000});
  s.add(&agent_options::explore, "explore",
        "Kind procedural: explore where the documents give no guidance.");
  s.add(&agent_options::explore_writes, "explore_writes",
        "Kind procedural: maximum number of exploring calls of a rollout, "
        "which change something only to see the effect.",
        {.unit = "calls", .min = 0, .max = 100000});
  s.add(&agent_options::script, "script",
        "Kind scripted: a directory with a file TASK.json of calls for each "
        "task. A task without a file is not attempted.");
  s.add(&agent_options::example_tokens, "example_tokens",
        "Maximum total tokens of the examples of the baseline in-context.",
        {.unit = "tokens", .min = 1, .max = 1e6});
  s.add(&agent_options::format, "format",
        "Kind llm: how it acts. tools: by tool calls. The others see a desktop "
        "(docs/osworld-agents.md). prompt: Python after each look at the "
        "screen. gta1: a planner, and a second model that finds places. "
        "ui_tars: thought and action of UI-TARS 1.5.",
        {.choices = {"tools", "prompt", "gta1", "ui_tars"}});
  s.add(&agent_options::observation, "observation",
        "Format prompt: what the model is shown of the screen. tree: the "
        "elements as text.",
        {.choices = {"screenshot", "tree", "both"}});
  s.add(&agent_options::grounder_model, "grounder_model",
        "Format gta1: the name of the model in the models file that finds "
        "places on the screen. It is given no documents.");
  s.add(&agent_options::plans, "plans",
        "Format gta1: number of plans that are drawn for each step. A judge "
        "chooses one, if there are several.",
        {.unit = "plans", .min = 1, .max = 64});
  s.add(&agent_options::knowledge_tokens, "knowledge_tokens",
        "Formats prompt, gta1 and ui_tars: maximum total tokens of the "
        "documents, at four bytes a token. What does not fit is left out.",
        {.unit = "tokens", .min = 0, .max = 1e6});
  return s.take();
}

option_section reflector_section() {
  section_of<reflector_options> s{
      &config::reflector, "reflector",
      "The role that turns a graded rollout into insights."};
  s.add(&reflector_options::kind, "kind", kind_sentence, role_kinds());
  add_model(s, &reflector_options::llm);
  s.add(&reflector_options::max_insights, "max_insights",
        "Kind llm: maximum number of insights of one rollout.",
        {.unit = "insights", .min = 1, .max = 1000});
  return s.take();
}

option_section memory_section() {
  section_of<memory_options> s{
      &config::memory, "memory",
      "The role that abstracts experiences and turns them into guidance, for a "
      "learner other than brew; and that records attempts for memories among "
      "eval.baselines."};
  s.add(&memory_options::kind, "kind", kind_sentence, role_kinds());
  add_model(s, &memory_options::llm);
  return s.take();
}

option_section integrator_section() {
  section_of<integrator_options> s{
      &config::integrator, "integrator",
      "The role that writes a document from insights."};
  s.add(&integrator_options::kind, "kind", kind_sentence, role_kinds());
  add_model(s, &integrator_options::llm, false);
  s.add(&integrator_options::send_temperature, "send_temperature",
        "Kind llm: send search.integrator_temperature. Reasoning models do not "
        "take one.");
  s.add(&integrator_options::max_insights, "max_insights",
        "Kind llm: maximum number of insights that the prompt lists. Those of "
        "the most rollouts are in it, half of them new ones if there are so "
        "many. 0: all.",
        {.unit = "insights", .min = 0, .max = 100000});
  s.add(&integrator_options::max_document_tokens, "max_document_tokens",
        "Kind llm: maximum length of a document, at four bytes a token. A "
        "longer one is asked for again once; then its least supported points "
        "are dropped. 0: no limit.",
        {.unit = "tokens", .min = 0, .max = 50000});
  s.add(&integrator_options::keep_facts, "keep_facts",
        "Kind llm: look for the facts of the document before (text in "
        "backticks, numbers, quotations) in the new one. If some are lost "
        "silently, it is asked for again once; what is still lost is counted.");
  s.add(&integrator_options::drafts, "drafts",
        "Kind procedural: how the drafts of a document differ. usual: in the "
        "evidence that a rule needs. varied: each revises a part of its "
        "parent, and chooses among conflicting remedies, conditions and orders "
        "of rules as far as the evidence leaves them open (docs/scarce.md).",
        {.choices = {"usual", "varied"}});
  s.add(&integrator_options::max_rules, "max_rules",
        "Kind procedural: maximum number of rules of a document; 0: no limit.",
        {.unit = "rules", .min = 0, .max = 1000});
  return s.take();
}

option_section judge_section() {
  section_of<judge_options> s{
      &config::judge, "judge",
      "The role that rates a rollout's behaviour on rubrics."};
  s.add(&judge_options::kind, "kind", kind_sentence, role_kinds());
  add_model(s, &judge_options::llm);
  s.add(&judge_options::rubrics, "rubrics",
        "Kind llm: a file of rubrics, like config/rubrics/general.toml; empty: "
        "the built-in rubrics.");
  s.add(&judge_options::with_reflector, "with_reflector",
        "Kind llm: rate in the reflector's call, so that a rollout is read "
        "once. Only if both have the same model and sampling.");
  return s.take();
}

option_section embedder_section() {
  section_of<embedder_options> s{&config::embedder, "embedder",
                                 "The role that maps texts to vectors, so that "
                                 "similar texts can be found."};
  s.add(&embedder_options::kind, "kind",
        "Implementation. procedural: hashed terms, without a language model. "
        "sentence: a sentence model on this machine, without a server "
        "(docs/models.md). llm: a model of the models file.",
        {.choices = {"procedural", "sentence", "llm"}});
  s.add(&embedder_options::dimensions, "dimensions",
        "Kind procedural: length of a vector.",
        {.unit = "numbers", .min = 8, .max = 65536});
  s.add(&embedder_options::model, "model",
        "Kind llm: the name of the model in the models file.");
  s.add(&embedder_options::model_dimensions, "model_dimensions",
        "Kind llm: requested length of a vector; 0: the model's default.",
        {.unit = "numbers", .min = 0, .max = 65536});
  s.add(&embedder_options::batch, "batch",
        "Kinds sentence and llm: number of texts per call (a sentence model "
        "gets at most 128).",
        {.unit = "texts", .min = 1, .max = 2048});
  s.add(&embedder_options::model_file, "model_file",
        "Kind sentence: model.safetensors (BERT) or model.onnx of a sentence "
        "model, with its tokenizer.json and settings beside it.");
  s.add(&embedder_options::python, "python",
        "Kind sentence: Python interpreter with the packages onnxruntime, "
        "tokenizers and, for model.safetensors, onnx.");
  s.add(&embedder_options::start_timeout_ms, "start_timeout_ms",
        "Kind sentence: time limit until the model is loaded.",
        {.unit = "ms", .min = 1, .max = timeout_max_ms});
  s.add(&embedder_options::reply_timeout_ms, "reply_timeout_ms",
        "Kind sentence: time limit of a batch. After it, the process with the "
        "model is killed and started again.",
        {.unit = "ms", .min = 1, .max = timeout_max_ms});
  return s.take();
}

option_section user_section() {
  section_of<user_options> s{
      &config::user, "user",
      "The simulated user, in benchmarks where the agent talks to one."};
  s.add(&user_options::kind, "kind",
        "Implementation. none: only tasks without a user can be run.",
        participant_kinds());
  add_model(s, &user_options::llm);
  return s.take();
}

option_section statement_judge_section() {
  section_of<statement_judge_options> s{
      &config::statement_judge, "statement_judge",
      "The role that decides a benchmark's assertions in natural language."};
  s.add(&statement_judge_options::kind, "kind",
        "Implementation. none: only tasks without such assertions can be run.",
        participant_kinds());
  add_model(s, &statement_judge_options::llm);
  return s.take();
}

} // namespace brewery
