#include "config/declare.hpp"

namespace brewery {

namespace {

const char* const kind_sentence =
    "Implementation; procedural needs no language model.";

option_facts role_kinds() {
  return {.choices = {"procedural"}};
}

} // namespace

option_section retrieval_section() {
  section_of<retrieval_options> s{&config::retrieval, "retrieval",
                                  "How the agent finds documents."};
  s.add(&retrieval_options::top_k, "top_k", "Documents the agent is shown.",
        {.unit = "documents", .min = 1, .max = 100});
  s.add(&retrieval_options::per_observation, "per_observation",
        "Search again after every observation, not only at the start.");
  s.add(&retrieval_options::bm25_k1, "bm25_k1",
        "How slowly a repeated term stops counting more (BM25 k1).",
        {.min = 0, .max = 10});
  s.add(&retrieval_options::bm25_b, "bm25_b",
        "How much long documents are held back (BM25 b).",
        {.min = 0, .max = 1});
  return s.take();
}

option_section agent_section() {
  section_of<agent_options> s{&config::agent, "agent",
                              "The role that plays the tasks."};
  s.add(&agent_options::kind, "kind", kind_sentence, role_kinds());
  s.add(&agent_options::max_calls, "max_calls", "Most tool calls of a rollout.",
        {.unit = "calls", .min = 1, .max = 100000});
  s.add(&agent_options::explore, "explore",
        "Try things where the documents are silent.");
  s.add(
      &agent_options::explore_writes, "explore_writes",
      "Most calls of a rollout that change something only to see what happens.",
      {.unit = "calls", .min = 0, .max = 100000});
  return s.take();
}

option_section reflector_section() {
  section_of<reflector_options> s{
      &config::reflector, "reflector",
      "The role that turns a graded rollout into insights."};
  s.add(&reflector_options::kind, "kind", kind_sentence, role_kinds());
  return s.take();
}

option_section integrator_section() {
  section_of<integrator_options> s{
      &config::integrator, "integrator",
      "The role that writes a document from insights."};
  s.add(&integrator_options::kind, "kind", kind_sentence, role_kinds());
  return s.take();
}

option_section judge_section() {
  section_of<judge_options> s{
      &config::judge, "judge",
      "The role that rates a rollout's behaviour on rubrics."};
  s.add(&judge_options::kind, "kind", kind_sentence, role_kinds());
  s.add(&judge_options::rubrics, "rubrics",
        "File of rubrics; empty for the built-in ones.");
  return s.take();
}

option_section embedder_section() {
  section_of<embedder_options> s{&config::embedder, "embedder",
                                 "The role that turns texts into vectors, so "
                                 "that near ones can be found."};
  s.add(&embedder_options::kind, "kind", kind_sentence, role_kinds());
  s.add(&embedder_options::dimensions, "dimensions", "Length of a vector.",
        {.unit = "numbers", .min = 8, .max = 65536});
  return s.take();
}

} // namespace brewery
