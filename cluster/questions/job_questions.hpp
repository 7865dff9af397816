#pragma once
/// The open questions of one connected worker's jobs: calls of language models,
/// and grades of rollouts whose worker lacks the goldens. It decides which
/// questions are passed on, and to whom. A question that is repeated while it
/// is open is passed on only once. Owned by the worker's proxy; the worker's
/// end is cluster/questions/repeated_asks.hpp. PURE.
///
/// When the worker is lost, its open questions are dropped. Their replies are
/// still stored where the questions went (the recording, the log), and answer
/// the same question of the job's next attempt.

#include "base/result.hpp"
#include "messages/model_msgs.hpp"
#include "messages/wire/frame.hpp"

#include <map>
#include <set>
#include <variant>

namespace brewery {

/// Identifies a question: the call with this `number` of a job, or its grade if
/// `number` is `grade_number`.
struct question_place {
  run_id run;
  job_id job;
  std::uint32_t number = 0;
  auto operator<=>(const question_place&) const = default;
};

/// A question to the models of its run.
struct model_question {
  question_place place;
  model_call call;
};

/// A question to the ledger of its run, sent as a job (see `job_of`).
struct grade_question {
  question_place place;
  task_id task;
  std::vector<answer_file> answers;
};

/// A grade is a job like any other: done once for equal answers, by a worker
/// with the goldens, and journalled before it is handed out.
job job_of(grade_question asked, const std::string& goldens);

class job_questions {
public:
  /// `has_models`: whether the owner can call language models.
  job_questions(std::uint64_t session, bool has_models)
      : session_(session), has_models_(has_models) {}

  /// Nothing if the same question is open. A reply if it cannot be passed on.
  using outcome = std::variant<std::monostate, model_question, grade_question,
                               wire::message>;
  outcome on(const model_ask& message);
  outcome on(const grade_ask& message) { return grade(message, false); }

  /// The reply to the worker, made of the answer to a question that was passed
  /// on.
  wire::message answered(const question_place& place,
                         const result<model_answer>& answer);
  wire::message graded(const question_place& place,
                       const result<job_result>& answer);

private:
  struct open_grade {
    task_id task;
    bool before = false; ///< asked by a worker of protocol 3
  };
  outcome grade(const grade_ask& message, bool before);
  [[nodiscard]] model_reply reply_to(const question_place& place) const;

  std::uint64_t session_;
  bool has_models_;
  std::set<question_place> calls_;
  std::map<question_place, open_grade> grades_;
};

} // namespace brewery
