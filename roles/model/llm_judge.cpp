#include "roles/model/llm_judge.hpp"

#include "base/hash.hpp"
#include "roles/model/replies.hpp"
#include "roles/model/trajectory_text.hpp"

namespace brewery {

llm_judge::llm_judge(model_asker ask, std::vector<rubric> rubrics)
    : ask_(std::move(ask)), rubrics_(rubrics_text(rubrics)) {
  for (auto& item : rubrics)
    names_.push_back(std::move(item.name));
}

std::string llm_judge::fingerprint() const {
  return ask_.fingerprint({"judge"})
         + " rubrics=" + content_hash(rubrics_).substr(0, 12);
}

result<std::vector<rubric_rating>>
llm_judge::rate(const graded_attempt& attempt, job_context& context) const {
  auto texts = attempt_texts(attempt);
  texts["rubrics"] = {rubrics_};
  auto request = ask_.prompted("judge", texts);
  request.schema_name = "ratings";
  request.schema = ratings_schema(names_);
  auto read = ask_.ask_until_read<std::vector<rubric_rating>>(
      std::move(request),
      [&](const chat_reply& reply) {
        return read_ratings(reply.content, names_);
      },
      context);
  if (!read) return study_error(read.error());
  return read;
}

} // namespace brewery
