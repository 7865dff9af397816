#include "roles/memory/llm_memory.hpp"

#include "base/printable.hpp"
#include "base/text.hpp"
#include "kb/experience/experience.hpp"
#include "messages/memory/agent_kb_steps.hpp"
#include "roles/memory/attempt_view.hpp"
#include "roles/memory/experience_reply.hpp"
#include "roles/memory/json_reply.hpp"
#include "roles/model/reply_schemas.hpp"
#include "roles/model/reply_text.hpp"
#include "roles/model/trajectory_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace brewery {

namespace {

using nlohmann::ordered_json;

std::string query_schema() {
  return object_schema({{"query", lines_schema(1)}, {"issues", lines_schema()}})
      .dump();
}

std::string guidance_schema() {
  return object_schema({{"cites",
                         {{"type", "array"},
                          {"items", {{"type", "integer"}}},
                          {"minItems", 0},
                          {"maxItems", reply_lines_max}}},
                        {"guidance", lines_schema()}})
      .dump();
}

std::string steps_in(const memory_job& job) {
  return job.attempts.empty() ? std::string{}
                              : steps_text(job.attempts.front().steps);
}

/// "Experience 2 (0.53):" and its Markdown, without where it is from.
std::vector<std::string> numbered_experiences(const memory_job& job) {
  const auto all = texts_of(job.texts, memory_texts::experience);
  const auto served = texts_of(job.texts, memory_texts::quality);
  std::vector<std::string> out;
  for (std::size_t i = 0; i < all.size(); ++i) {
    out.push_back(fmt::format("Experience {} ({}):\n\n{}", i + 1,
                              i < served.size() ? served[i] : "?",
                              told_text(all[i])));
  }
  return out;
}

} // namespace

std::string llm_memory::fingerprint() const {
  return "memory/2="
         + ask_.fingerprint({"memory-experience", "memory-query",
                             "memory-guidance", "memory-merge"});
}

result<memory_result>
llm_memory::abstract(const memory_job& job,
                     const std::vector<std::string>& lessons,
                     job_context& context) const {
  slot_texts with{{"task", {text_in(job, memory_texts::task)}},
                  {"steps", {steps_in(job)}},
                  {"lessons", lessons}};
  if (!job.attempts.empty() && !job.attempts.front().grade.empty())
    with["grade"] = {grade_text(job.attempts.front().grade.front())};
  const auto made =
      ask_for_json(ask_, "memory-experience", with,
                   object_schema(experience_members()).dump(), context);
  if (!made) return made.error();
  auto item = experience_in(*made);
  item.domain = text_in(job, memory_texts::domain);
  std::set<std::string> tools;
  if (!job.attempts.empty())
    for (const auto& step : job.attempts.front().steps)
      if (!step.tool.empty()) tools.insert(step.tool);
  item.tools.assign(tools.begin(), tools.end());
  item.from = {job.task.value};
  memory_result out;
  const auto text = to_markdown(item);
  // What the limits of texts have emptied is no experience.
  if (read_experience(text))
    out.texts.push_back({memory_texts::experience, text});
  else
    context.note("memory", reply_trouble::dropped, "an empty experience");
  return out;
}

result<memory_result> llm_memory::query(const memory_job& job, bool issues,
                                        job_context& context) const {
  const auto steps = steps_in(job);
  slot_texts with{{"task", {text_in(job, memory_texts::task)}},
                  {"guidance", {text_in(job, memory_texts::guidance)}},
                  {"steps", {steps}}};
  // Only the learner with an oracle hands over a grade.
  if (!job.attempts.empty() && !job.attempts.front().grade.empty())
    with["grade"] = {grade_text(job.attempts.front().grade.front())};
  else if (!steps.empty())
    with["blind"] = {"yes"};
  const auto made =
      ask_for_json(ask_, "memory-query", with, query_schema(), context);
  if (!made) return made.error();
  memory_result out;
  out.texts.push_back(
      {memory_texts::query, join(lines_of(made->at("query")), "\n")});
  if (issues)
    for (auto& line : lines_of(made->at("issues")))
      out.texts.push_back({memory_texts::issue, std::move(line)});
  return out;
}

result<memory_result> llm_memory::guide(const memory_job& job,
                                        job_context& context) const {
  const auto experiences = numbered_experiences(job);
  const auto made =
      ask_for_json(ask_, "memory-guidance",
                   {{"task", {text_in(job, memory_texts::task)}},
                    {"guidance", {text_in(job, memory_texts::guidance)}},
                    {"issues", texts_of(job.texts, memory_texts::issue)},
                    {"experiences", experiences}},
                   guidance_schema(), context);
  if (!made) return made.error();
  memory_result out;
  const auto lines = lines_of(made->at("guidance"));
  if (lines.empty()) return out;
  std::string body = "# Guidance\n\n";
  for (std::size_t i = 0; i < lines.size(); ++i)
    body += fmt::format("{}. {}\n", i + 1, lines[i]);
  out.texts.push_back({memory_texts::guidance, std::move(body)});
  std::set<std::int64_t> cited;
  for (const auto& number : made->at("cites"))
    cited.insert(number.get<std::int64_t>());
  for (const auto number : cited)
    if (number >= 1 && number <= static_cast<std::int64_t>(experiences.size()))
      out.texts.push_back({memory_texts::cites, std::to_string(number)});
  return out;
}

result<memory_result> llm_memory::merge(const memory_job& job,
                                        job_context& context) const {
  std::vector<experience> both;
  for (const auto& text : texts_of(job.texts, memory_texts::experience))
    if (auto item = read_experience(text)) both.push_back(std::move(*item));
  memory_result out;
  if (both.size() != 2) return out;
  auto members = experience_members();
  auto tenths = nlohmann::ordered_json::array();
  for (int i = 0; i <= 10; ++i)
    tenths.push_back(i / 10.0);
  members["compatibility"] = {{"enum", tenths}};
  const auto made = ask_for_json(ask_, "memory-merge",
                                 {{"experiences", numbered_experiences(job)}},
                                 object_schema(members).dump(), context);
  if (!made) return made.error();
  auto item = experience_in(*made);
  item.domain = both[0].domain;
  std::set<std::string> tools, from;
  for (const auto& one : both) {
    tools.insert(one.tools.begin(), one.tools.end());
    from.insert(one.from.begin(), one.from.end());
  }
  item.tools.assign(tools.begin(), tools.end());
  item.from.assign(from.begin(), from.end());
  auto text = to_markdown(item);
  if (!read_experience(text)) {
    context.note("memory", reply_trouble::dropped, "an empty experience");
    return out;
  }
  out.texts.push_back(
      {memory_texts::compatibility,
       fmt::format("{:.3f}", std::clamp(made->at("compatibility").get<double>(),
                                        0.0, 1.0))});
  out.texts.push_back({memory_texts::experience, std::move(text)});
  return out;
}

result<memory_result>
llm_memory::perform(const memory_job& job,
                    const std::vector<std::string>& documents,
                    job_context& context) const {
  const auto made = [&]() -> result<memory_result> {
    if (job.step == agent_kb_steps::abstract)
      return abstract(job, documents, context);
    if (job.step == agent_kb_steps::reason) return query(job, false, context);
    if (job.step == agent_kb_steps::review) return query(job, true, context);
    if (job.step == agent_kb_steps::refine
        || job.step == agent_kb_steps::advise)
      return guide(job, context);
    if (job.step == agent_kb_steps::merge) return merge(job, context);
    return error{ec::invalid_argument,
                 fmt::format("there is no step \"{}\" of Agent KB", job.step)};
  }();
  auto out = made ? made : without_reply(made.error(), context);
  if (out) out->id = job.id;
  return out;
}

} // namespace brewery
