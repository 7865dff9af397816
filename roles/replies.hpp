#pragma once
/// What models reply to judge, reflector and statement judge, read strictly:
/// everything asked for has to be there, once, and name things that exist.
/// Errors are ec::malformed and say what is wrong where, in words that are sent
/// back to the model. Pure; safe on any bytes.

#include "base/result.hpp"
#include "messages/rollout_msgs.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace brewery {

/// JSON schema of the reply.
std::string ratings_schema(const std::vector<std::string>& rubrics);
/// One rating for each rubric, in their order; scores in [0, 1], reasons of at
/// least a word.
result<std::vector<rubric_rating>>
read_ratings(std::string_view reply, const std::vector<std::string>& rubrics);

struct insight_limits {
  std::size_t steps = 0;             ///< of the trajectory
  std::size_t most = 0;              ///< insights
  std::vector<std::string> concepts; ///< that are known, as titles
};

std::string insights_schema();
/// Insights with their ids. Each is one line, with a concept of one line in
/// lower case, and names steps that exist, at least one unless there are none.
/// The same insight twice is taken once.
result<std::vector<insight>> read_insights(std::string_view reply,
                                           const insight_limits& limits);

std::string verdicts_schema();
/// One verdict for each of `count` statements.
result<std::vector<bool>> read_verdicts(std::string_view reply,
                                        std::size_t count);

} // namespace brewery
