#include "cluster/questions/protocol3_grades.hpp"

#include "messages/wire/codec.hpp"

namespace brewery {

model_ask as_model_ask(const grade_ask& ask) {
  return {ask.session, ask.run, ask.job, grade_number,
          wire::encode(grade_job{{}, ask.task, {}, ask.answers})};
}

grade_reply as_grade_reply(const model_reply& reply) {
  grade_reply out;
  out.session = reply.session;
  out.run = reply.run;
  out.job = reply.job;
  out.code = reply.code;
  out.error = reply.error;
  if (out.code != ec::ok) return out;
  auto graded = wire::decode<grade_result>(reply.answer);
  if (!graded) {
    out.code = graded.error().code;
    out.error = graded.error().message;
    return out;
  }
  out.task = std::move(graded->task);
  out.grade = std::move(graded->grade);
  return out;
}

result<grade_ask> as_grade_ask(const model_ask& ask) {
  auto asked = wire::decode<grade_job>(ask.call);
  if (!asked) return asked.error();
  return grade_ask{ask.session, ask.run, ask.job, std::move(asked->task),
                   std::move(asked->answers)};
}

model_reply as_model_reply(const grade_reply& reply, const job_id& id) {
  model_reply out;
  out.session = reply.session;
  out.run = reply.run;
  out.job = reply.job;
  out.number = grade_number;
  out.code = reply.code;
  out.error = reply.error;
  if (out.code == ec::ok)
    out.answer = wire::encode(grade_result{id, reply.task, reply.grade});
  return out;
}

} // namespace brewery
