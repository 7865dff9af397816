#include "roles/memory/llm_recorder.hpp"

#include "base/printable.hpp"
#include "kb/comparators/entity_graph.hpp"
#include "learners/comparators/attempt_texts.hpp"
#include "messages/memory/comparator_steps.hpp"
#include "roles/memory/attempt_view.hpp"
#include "roles/memory/json_reply.hpp"
#include "roles/memory/reply_lines.hpp"
#include "roles/model/reply_schemas.hpp"
#include "roles/model/trajectory_text.hpp"

#include <fmt/format.h>

#include <set>

namespace brewery {

namespace {

using nlohmann::ordered_json;

constexpr std::size_t recorded_lines_max = 40;
constexpr std::size_t recorded_bytes_max = note_memory::text_bytes;

ordered_json text_part(std::size_t least) {
  return {{"type", "string"},
          {"minLength", least},
          {"maxLength", recorded_bytes_max}};
}

ordered_json list_part(const ordered_json& items, std::size_t most) {
  return {
      {"type", "array"}, {"items", items}, {"minItems", 0}, {"maxItems", most}};
}

std::string note_schema() {
  return object_schema(
             {{"summary", text_part(1)},
              {"keywords", list_part(text_part(1), note_memory::keywords_max)},
              {"tags", list_part(text_part(1), note_memory::tags_max)},
              {"context", list_part(text_part(1), note_memory::context_max)},
              {"lessons", list_part(text_part(1), recorded_lines_max)}})
      .dump();
}

std::string graph_schema() {
  const auto relation = object_schema({{"head", text_part(1)},
                                       {"relation", text_part(1)},
                                       {"tail", text_part(0)},
                                       {"sentence", text_part(1)}});
  return object_schema({{"summary", text_part(1)},
                        {"triplets", list_part(relation, recorded_lines_max)}})
      .dump();
}

std::string links_schema() {
  const auto change = object_schema(
      {{"number", {{"type", "integer"}}},
       {"context", list_part(text_part(1), note_memory::context_max)},
       {"tags", list_part(text_part(1), note_memory::tags_max)}});
  return object_schema(
             {{"links",
               list_part({{"type", "integer"}}, note_memory::neighbours)},
              {"tags", list_part(text_part(1), note_memory::tags_max)},
              {"neighbours", list_part(change, note_memory::neighbours)}})
      .dump();
}

std::string line_in(const json& text) {
  return collapse_spaces(text.get_ref<const std::string&>());
}

std::vector<std::string> short_lines(const json& list) {
  return lines_in(list, recorded_bytes_max, recorded_lines_max);
}

/// A neighbour's place. A number that was made up is none.
std::optional<std::size_t> place_of(const json& number, std::size_t count) {
  const auto value = number.get<std::int64_t>();
  if (value < 1 || value > static_cast<std::int64_t>(count))
    return std::nullopt;
  return static_cast<std::size_t>(value - 1);
}

slot_texts slots_of(const memory_job& job) {
  slot_texts out{{"task", {text_in(job, comparator_texts::task)}}};
  if (job.attempts.size() == 1) {
    const auto& attempt = job.attempts.front();
    out["steps"] = {steps_text(attempt.steps)};
    if (!attempt.grade.empty())
      out["grade"] = {grade_text(attempt.grade.front())};
  }
  return out;
}

} // namespace

std::string llm_recorder::fingerprint() const {
  return "recorder/2="
         + ask_.fingerprint(
             {"memory-graph", "memory-note", "memory-note-links"});
}

result<memory_result> llm_recorder::note(const memory_job& job,
                                         job_context& context) const {
  const auto made = ask_for_json(ask_, "memory-note", slots_of(job),
                                 note_schema(), context, recorded_bytes_max);
  if (!made) return made.error();
  recorded_attempt out;
  out.told = line_in(made->at("summary"));
  out.keywords = short_lines(made->at("keywords"));
  out.tags = short_lines(made->at("tags"));
  out.context = short_lines(made->at("context"));
  out.sentences = short_lines(made->at("lessons"));
  return memory_result{{}, texts_of_attempt(out), {}};
}

result<memory_result> llm_recorder::graph(const memory_job& job,
                                          job_context& context) const {
  const auto made = ask_for_json(ask_, "memory-graph", slots_of(job),
                                 graph_schema(), context, recorded_bytes_max);
  if (!made) return made.error();
  recorded_attempt out;
  out.told = line_in(made->at("summary"));
  for (const auto& one : made->at("triplets"))
    out.changes.push_back({{line_in(one.at("head"))},
                           line_in(one.at("relation")),
                           line_in(one.at("tail")),
                           line_in(one.at("sentence")),
                           true});
  return memory_result{{}, texts_of_attempt(out), {}};
}

result<memory_result> llm_recorder::evolve(const memory_job& job,
                                           job_context& context) const {
  const auto near = texts_of(job.texts, comparator_texts::neighbour);
  std::vector<std::string> neighbours;
  for (std::size_t i = 0; i < near.size(); ++i)
    neighbours.push_back(fmt::format("Note {}:\n\n{}", i + 1, near[i]));
  const auto made =
      ask_for_json(ask_, "memory-note-links",
                   {{"note", {text_in(job, comparator_texts::note)}},
                    {"neighbours", neighbours}},
                   links_schema(), context, recorded_bytes_max);
  if (!made) return made.error();
  note_evolution out;
  out.tags = short_lines(made->at("tags"));
  for (const auto& number : made->at("links"))
    if (const auto place = place_of(number, near.size()))
      out.links.insert(*place);
  for (const auto& one : made->at("neighbours"))
    if (const auto place = place_of(one.at("number"), near.size())) {
      out.neighbour_context[*place] = short_lines(one.at("context"));
      out.neighbour_tags[*place] = short_lines(one.at("tags"));
    }
  return memory_result{{}, texts_of_evolution(out), {}};
}

result<memory_result> llm_recorder::perform(const memory_job& job,
                                            const std::vector<std::string>&,
                                            job_context& context) const {
  const auto made = [&]() -> result<memory_result> {
    if (job.step == comparator_steps::record)
      return job.learner == comparators::cognee ? graph(job, context)
                                                : note(job, context);
    if (job.step == comparator_steps::evolve) return evolve(job, context);
    return error{ec::invalid_argument,
                 fmt::format("{} has no step \"{}\"", job.learner, job.step)};
  }();
  auto out = made ? made : without_reply(made.error(), context);
  if (out) out->id = job.id;
  return out;
}

} // namespace brewery
