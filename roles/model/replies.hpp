#pragma once
/// Parses the replies to judge, reflector and statement judge strictly: every
/// requested item must be there exactly once and name existing things. Only of
/// insights, which stand for themselves, some may be unusable. Bounds of texts
/// and lists are wider than the schemas': a server that was sent none of them
/// is not refused for a word too many. Errors are ec::malformed and say what is
/// wrong and where, in a text that can be sent back to the model. Pure; safe on
/// any bytes.

#include "base/result.hpp"
#include "messages/rollout_msgs.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace brewery {

/// The JSON schema of the reply; see reply_schemas.hpp.
std::string ratings_schema(const std::vector<std::string>& rubrics);
/// One rating per rubric, in the order of the rubrics. Scores are in [0, 1];
/// reasons have at least one word.
result<std::vector<rubric_rating>>
read_ratings(std::string_view reply, const std::vector<std::string>& rubrics);

struct insight_limits {
  std::size_t steps = 0;             ///< number of steps of the trajectory
  std::size_t most = 0;              ///< maximum number of insights
  std::vector<std::string> concepts; ///< titles of the known ones
};

/// The usable part of a reply.
struct insight_list {
  std::vector<insight> kept;
  std::vector<std::string> dropped; ///< why, one line for each
};

std::string insights_schema(const insight_limits& limits);
/// Insights with their ids. Each is one line, has a one-line concept in lower
/// case and names existing steps: at least one, unless the trajectory is empty.
/// One that is not like this, or one too many, is dropped; the others stay.
/// Equal ones count once. Error: there are insights, but none can be used.
result<insight_list> read_insights(std::string_view reply,
                                   const insight_limits& limits);

/// The schema of a reply that has ratings and insights.
std::string review_schema(const std::vector<std::string>& rubrics,
                          const insight_limits& limits);
/// One member of such a reply, as a reply that has only this one. Error: there
/// is no JSON object, or not this member.
result<std::string> part_of_reply(std::string_view reply,
                                  const std::string& member);

std::string verdicts_schema(std::size_t count);
/// One verdict for each of the `count` statements.
result<std::vector<bool>> read_verdicts(std::string_view reply,
                                        std::size_t count);

} // namespace brewery
