#include "cluster/questions/job_questions.hpp"

#include "base/printable.hpp"
#include "cluster/job_spec.hpp"
#include "cluster/questions/protocol3_grades.hpp"
#include "messages/wire/codec.hpp"

#include <utility>

namespace brewery {

job job_of(grade_question asked, const std::string& goldens) {
  grade_job work{{}, std::move(asked.task), goldens, std::move(asked.answers)};
  work.id = identity(work);
  return make_job(std::move(work));
}

model_reply job_questions::reply_to(const question_place& place) const {
  model_reply out;
  out.session = session_;
  out.run = place.run;
  out.job = place.job;
  out.number = place.number;
  return out;
}

job_questions::outcome job_questions::on(const model_ask& message) {
  const question_place place{message.run, message.job, message.number};
  if (message.number == grade_number) {
    const auto asked = as_grade_ask(message);
    if (asked) return grade(*asked, true);
    auto reply = reply_to(place);
    reply.code = asked.error().code;
    reply.error = asked.error().message;
    return wire::message{std::move(reply)};
  }
  auto call = wire::decode<model_call>(message.call);
  if (!has_models_ || !call || call->job != message.job
      || call->number != message.number) {
    auto reply = reply_to(place);
    reply.code = call ? ec::invalid_argument : call.error().code;
    reply.error = call ? "this call cannot be made here" : call.error().message;
    return wire::message{std::move(reply)};
  }
  if (!calls_.insert(place).second) return {};
  return model_question{place, std::move(*call)};
}

job_questions::outcome job_questions::grade(const grade_ask& message,
                                            bool before) {
  const question_place place{message.run, message.job, grade_number};
  if (!grades_.try_emplace(place, open_grade{message.task, before}).second)
    return {};
  return grade_question{place, message.task, message.answers};
}

wire::message job_questions::answered(const question_place& place,
                                      const result<model_answer>& answer) {
  calls_.erase(place);
  auto reply = reply_to(place);
  if (answer) {
    reply.answer = wire::encode(*answer);
  } else {
    reply.code = answer.error().code;
    reply.error = answer.error().message;
  }
  return reply;
}

wire::message job_questions::graded(const question_place& place,
                                    const result<job_result>& answer) {
  const auto asked = grades_.extract(place);
  BREWERY_ASSERT(!asked.empty());
  grade_reply reply;
  reply.session = session_;
  reply.run = place.run;
  reply.job = place.job;
  reply.task = asked.mapped().task;
  const auto* made =
      answer ? std::get_if<grade_result>(&answer->output) : nullptr;
  if (made) {
    reply.grade = made->grade;
  } else if (answer) {
    reply.code = ec::environment;
    reply.error = single_line("not graded: " + answer->error, shown_bytes_max);
  } else {
    reply.code = answer.error().code;
    reply.error = answer.error().message;
  }
  if (!asked.mapped().before) return reply;
  return as_model_reply(reply, answer ? answer->id : job_id{});
}

} // namespace brewery
