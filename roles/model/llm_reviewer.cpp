#include "roles/model/llm_reviewer.hpp"

#include "base/hash.hpp"
#include "roles/model/trajectory_text.hpp"

#include <fmt/format.h>

namespace brewery {

namespace {

/// Reads the part `name` of a reply with the reader of the role that would
/// have sent it alone.
template <class T, class Read>
void take_part(result<T>& kept, const std::string& reply, const char* name,
               Read read) {
  if (kept) return; // from the first reply
  const auto part = part_of_reply(reply, name);
  if (!part) {
    kept = part.error();
    return;
  }
  auto got = read(*part);
  if (got)
    kept = T{*std::move(got)};
  else
    kept = got.error();
}

std::string problems_of(const result<std::vector<rubric_rating>>& ratings,
                        const result<insight_list>& insights) {
  std::string out;
  if (!ratings) out += "\"ratings\": " + ratings.error().message;
  if (!insights)
    out += (out.empty() ? "" : "; ")
           + ("\"insights\": " + insights.error().message);
  return out;
}

} // namespace

llm_reviewer::llm_reviewer(model_asker ask, std::vector<rubric> rubrics,
                           std::uint32_t max_insights)
    : ask_(std::move(ask)), rubrics_(rubrics_text(rubrics)),
      max_insights_(max_insights) {
  for (auto& item : rubrics)
    names_.push_back(std::move(item.name));
}

std::string llm_reviewer::fingerprint() const {
  return ask_.fingerprint({"judge-reflector"})
         + fmt::format(" most={} rubrics={}", max_insights_,
                       content_hash(rubrics_).substr(0, 12));
}

chat_request llm_reviewer::request_for(const graded_attempt& attempt,
                                       const insight_limits& limits) const {
  auto texts = attempt_texts(attempt);
  texts["rubrics"] = {rubrics_};
  texts["most"] = {std::to_string(max_insights_)};
  texts["concepts"] = {concepts_text(attempt)};
  texts["grade"] = {grade_text(attempt.grade)};
  auto out = ask_.prompted("judge-reflector", texts);
  out.schema_name = "review";
  out.schema = review_schema(names_, limits);
  return out;
}

review llm_reviewer::study(const graded_attempt& attempt,
                           job_context& context) const {
  const insight_limits limits{attempt.steps.size(), max_insights_,
                              attempt.concepts};
  const error nothing{ec::malformed, "no reply"};
  result<std::vector<rubric_rating>> ratings = nothing;
  result<insight_list> insights = nothing;
  const auto done = ask_.ask_until_read<bool>(
      request_for(attempt, limits),
      [&](const chat_reply& reply) -> result<bool> {
        take_part(ratings, reply.content, "ratings",
                  [&](const auto& part) { return read_ratings(part, names_); });
        take_part(insights, reply.content, "insights", [&](const auto& part) {
          return read_insights(part, limits);
        });
        if (ratings && insights) return true;
        return error{ec::malformed, problems_of(ratings, insights)};
      },
      context);
  if (!done && !ratings) ratings = study_error(done.error());
  if (!insights)
    return {std::move(ratings),
            done ? insights.error() : study_error(done.error())};
  for (const auto& why : insights->dropped)
    ask_.note(context, &role_counts::dropped, why);
  return {std::move(ratings), std::move(insights->kept)};
}

} // namespace brewery
