#pragma once
/// JSON schemas of the replies to judge, reflector and statement judge, such
/// that a server that constrains sampling with a grammar always comes to an
/// end: every list has a most, every text a length, every number an enum, and
/// everything that is asked for is a required member. Members stand in the
/// order in which a server writes them: a reason before its score. Pure.
///
/// A server that cannot follow bounds gets `plain_schema` of it
/// (llm/format/json_schema.hpp).

#include <nlohmann/json.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace brewery {

/// Characters of a text that are asked for. llama.cpp refuses more than 2,000
/// repetitions in a grammar. What reads replies allows more.
struct text_limits {
  static constexpr std::size_t reason = 300;
  static constexpr std::size_t topic = 60;
  static constexpr std::size_t insight = 500;
};

/// The schema of an object with exactly these members, all of them required.
nlohmann::ordered_json object_schema(const nlohmann::ordered_json& members);

/// {RUBRIC: {reason, score}}, one member for each rubric; a score is a tenth
/// from 0 to 1.
nlohmann::ordered_json ratings_part(const std::vector<std::string>& rubrics);

/// A list of at most `most` {concept, insight, steps}. The numbers of an
/// attempt of `steps` steps are 0 to steps - 1; at least one is asked for,
/// unless there is none.
nlohmann::ordered_json insights_part(std::size_t steps, std::size_t most);

/// {NUMBER: {reason, holds}}, one member for each of `count` statements, which
/// are numbered from 1.
nlohmann::ordered_json verdicts_part(std::size_t count);

} // namespace brewery
