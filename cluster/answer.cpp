#include "cluster/answer.hpp"

#include <cmath>

namespace brewery {

namespace {

bool is_rating(double value) {
  return value >= 0 && value <= 1; // false for NaN
}

/// What of a result is not of its job; empty: nothing.
std::string misfit(const rollout_result& made, const rollout_job& asked) {
  if (!made.reused_from.empty()) return {}; // the coordinator's own choice
  if (made.task != asked.task || made.trial != asked.trial)
    return "its rollout is of another task or trial";
  if (!ranks_only(made, asked.knowledge))
    return "it ranks what is not in its knowledge base, or twice";
  return {};
}

std::string misfit(const embed_result& made, const embed_job& asked) {
  if (made.vectors.size() == asked.texts.size()) return {};
  return "it has " + std::to_string(made.vectors.size()) + " vectors for "
         + std::to_string(asked.texts.size()) + " texts";
}

std::string misfit(const grade_result& made, const grade_job& asked) {
  return made.task == asked.task ? "" : "its grade is of another task";
}

std::string misfit(const integrate_result&, const integrate_job&) {
  return {};
}

std::string misfit(const memory_result&, const memory_job&) {
  return {};
}

std::string validate_result(const rollout_result& made,
                            const rollout_job* asked) {
  if (made.outcome != rollout_outcome::graded
      && made.outcome != rollout_outcome::environment_error)
    return "it marks its rollout as quarantined, which only the coordinator "
           "decides";
  if (!made.reused_from.empty())
    return "it says that another rollout stands for it, which only the "
           "coordinator decides";
  if (!is_rating(made.grade.reward)) return "its reward is not from 0 to 1";
  for (const auto& rating : made.ratings)
    if (!is_rating(rating.score)) return "a rating is not from 0 to 1";
  return asked ? misfit(made, *asked) : std::string{};
}

std::string validate_result(const integrate_result&, const integrate_job*) {
  return {};
}

std::string validate_result(const embed_result& made, const embed_job* asked) {
  constexpr double largest = 1e30; // so that sums and squares are numbers
  if (asked)
    if (auto why = misfit(made, *asked); !why.empty()) return why;
  for (const auto& vector : made.vectors) {
    if (vector.size() != made.vectors.front().size())
      return "its vectors are of different lengths";
    for (const double value : vector)
      if (!(std::abs(value) <= largest)) // nor is what is no number
        return "a vector contains a value that is not a number, or too large";
  }
  return {};
}

std::string validate_result(const grade_result& made, const grade_job* asked) {
  if (!is_rating(made.grade.reward)) return "its reward is not from 0 to 1";
  return asked ? misfit(made, *asked) : std::string{};
}

std::string validate_result(const memory_result& made, const memory_job*) {
  constexpr std::size_t most_texts = 10'000;
  if (made.texts.size() > most_texts)
    return "it has " + std::to_string(made.texts.size()) + " texts; "
           + std::to_string(most_texts) + " are possible";
  return {};
}

/// Maps each alternative of job_output to the one of job_input it answers.
template <class Made>
struct asked_for;
template <>
struct asked_for<rollout_result> {
  using type = rollout_job;
};
template <>
struct asked_for<integrate_result> {
  using type = integrate_job;
};
template <>
struct asked_for<embed_result> {
  using type = embed_job;
};
template <>
struct asked_for<grade_result> {
  using type = grade_job;
};
template <>
struct asked_for<memory_result> {
  using type = memory_job;
};

template <class Made>
std::string validate_result(const Made& made, const job_id& id,
                            const job* asked) {
  using input = typename asked_for<Made>::type;
  const auto* wanted = asked ? std::get_if<input>(&asked->input) : nullptr;
  if (asked && !wanted) return "it is not of the kind that was asked for";
  if (made.id != id) return "it has the result of another job";
  return validate_result(made, wanted);
}

} // namespace

std::string validate_result(const job_result& answer, const job* asked) {
  if (asked && answer.id != asked->id) return "it is of another job";
  if (!answer.error.empty()) return "it has both a result and an error";
  return std::visit(
      [&]<class Made>(const Made& made) -> std::string {
        if constexpr (std::is_same_v<Made, std::monostate>)
          return "it has no result";
        else
          return validate_result(made, answer.id, asked);
      },
      answer.output);
}

std::string why_no_answer(const job_result& answer, const job& asked) {
  const auto another_kind = "it is not of the kind that was asked for";
  if (!answer.error.empty()) {
    // Only a rollout that was given up has a result; other jobs have none.
    const bool rollout = std::holds_alternative<rollout_job>(asked.input);
    return rollout == std::holds_alternative<rollout_result>(answer.output)
               ? ""
               : another_kind;
  }
  return std::visit(
      [&]<class Made>(const Made& made) -> std::string {
        if constexpr (std::is_same_v<Made, std::monostate>) {
          return another_kind;
        } else {
          const auto* wanted =
              std::get_if<typename asked_for<Made>::type>(&asked.input);
          return wanted ? misfit(made, *wanted) : another_kind;
        }
      },
      answer.output);
}

} // namespace brewery
