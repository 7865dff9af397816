#include "cluster/questions/job_questions.hpp"
#include "cluster/questions/protocol3_grades.hpp"

#include <catch2/catch.hpp>

using namespace brewery;

namespace {

constexpr std::uint64_t asking_session = 5;

model_ask call_of(const std::string& job, std::uint32_t number) {
  model_call call;
  call.job = {job};
  call.number = number;
  return {asking_session, {"s"}, {job}, number, wire::encode(call)};
}

grade_ask grade_of(const std::string& job) {
  return {asking_session, {"s"}, {job}, {"t"}, {{1, false, {}, "x"}}};
}

template <class T>
T only(const wire::message& message) {
  const auto* one = std::get_if<T>(&message);
  REQUIRE(one);
  return *one;
}

} // namespace

TEST_CASE("a call that is repeated while it is open is passed on once") {
  job_questions questions{asking_session, true};
  const auto first = questions.on(call_of("a", 0));
  REQUIRE(std::holds_alternative<model_question>(first));
  CHECK(std::holds_alternative<std::monostate>(questions.on(call_of("a", 0))));
  CHECK(std::holds_alternative<model_question>(questions.on(call_of("a", 1))));
  const auto place = std::get<model_question>(first).place;
  const auto reply =
      only<model_reply>(questions.answered(place, {model_answer{}}));
  CHECK(reply.session == asking_session);
  CHECK(reply.job == job_id{"a"});
  CHECK(reply.code == ec::ok);
  // The reply was lost.
  CHECK(std::holds_alternative<model_question>(questions.on(call_of("a", 0))));
}

TEST_CASE("a call that cannot be made is refused, not passed on") {
  job_questions none{asking_session, false};
  auto said = none.on(call_of("a", 0));
  REQUIRE(std::holds_alternative<wire::message>(said));
  CHECK(only<model_reply>(std::get<wire::message>(said)).code
        == ec::invalid_argument);
  job_questions some{asking_session, true};
  auto other = call_of("a", 0);
  other.number = 1; // of another place than the call says
  said = some.on(other);
  REQUIRE(std::holds_alternative<wire::message>(said));
}

TEST_CASE("equal answers to a task are one job, whichever rollout asks") {
  job_questions questions{asking_session, true};
  const auto one = questions.on(grade_of("a"));
  const auto two = questions.on(grade_of("b"));
  const auto first = job_of(std::get<grade_question>(one), "g");
  CHECK(first == job_of(std::get<grade_question>(two), "g"));
  CHECK(first != job_of(std::get<grade_question>(two), "other goldens"));
  CHECK(kind_of(first) == job_kind::grade);
}

TEST_CASE("a worker is told its grade as it asked for it") {
  for (const bool before : {false, true}) {
    INFO(before);
    job_questions questions{asking_session, true};
    const auto asked = before ? questions.on(as_model_ask(grade_of("a")))
                              : questions.on(grade_of("a"));
    REQUIRE(std::holds_alternative<grade_question>(asked));
    const auto place = std::get<grade_question>(asked).place;
    const auto answered = questions.graded(
        place, make_result(grade_result{{"g"}, {"t"}, {1, {}}}));
    CHECK(std::holds_alternative<model_reply>(answered) == before);
    const auto reply = before ? as_grade_reply(only<model_reply>(answered))
                              : only<grade_reply>(answered);
    CHECK(reply.grade.reward == 1);
    CHECK(reply.task == task_id{"t"});
  }
}
