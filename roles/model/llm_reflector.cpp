#include "roles/model/llm_reflector.hpp"

#include "roles/model/replies.hpp"
#include "roles/model/trajectory_text.hpp"

#include <fmt/format.h>

namespace brewery {

std::string llm_reflector::fingerprint() const {
  return ask_.fingerprint({"reflector"})
         + fmt::format(" most={}", max_insights_);
}

result<std::vector<insight>>
llm_reflector::reflect(const graded_attempt& attempt,
                       const std::vector<rubric_rating>& ratings,
                       job_context& context) const {
  auto texts = attempt_texts(attempt);
  texts["most"] = {std::to_string(max_insights_)};
  texts["concepts"] = {concepts_text(attempt)};
  texts["grade"] = {grade_text(attempt.grade)};
  texts["ratings"] = {ratings_text(ratings)};
  auto request = ask_.prompted("reflector", texts);
  const insight_limits limits{attempt.steps.size(), max_insights_,
                              attempt.concepts};
  request.schema_name = "insights";
  request.schema = insights_schema(limits);
  auto read = ask_.ask_until_read<insight_list>(
      std::move(request),
      [&](const chat_reply& reply) {
        return read_insights(reply.content, limits);
      },
      context);
  if (!read) return study_error(read.error());
  for (const auto& why : read->dropped)
    ask_.note(context, &role_counts::dropped, why);
  return std::move(read->kept);
}

} // namespace brewery
