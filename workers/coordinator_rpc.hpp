#pragma once
/// The connection of a worker process's jobs to the coordinator: they ask for
/// model replies and, in rollouts, for grades. The network thread carries
/// questions to the coordinator and replies back. Thread-safe; shared by the
/// jobs and the network thread.

#include "llm/model_port.hpp"
#include "messages/cluster_msgs.hpp"
#include "messages/grade_msgs.hpp"

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace brewery {

class coordinator_rpc final : public model_port {
public:
  /// A question on its way. `call` is the wire form of a model_call.
  struct model_question {
    run_id run;
    job_id job;
    std::uint32_t number = 0;
    std::string call;
  };
  struct grade_question {
    run_id run;
    job_id job; ///< the rollout
    task_id task;
    std::vector<answer_file> answers;
  };

  /// Blocks the job's thread until the reply arrives or the job is cancelled.
  result<model_answer> ask(const model_call& call,
                           const model_caller& by) override;

  /// Asks for the grade of a rollout; blocks in the same way.
  result<grade_report> grade(const job_id& rollout, const task_id& task,
                             const std::vector<answer_file>& answers,
                             const model_caller& by);

  /// For the network thread. `wake` is called when there is a question.
  void open(std::function<void()> wake);
  /// Accepts no more questions and cancels all that wait.
  void close();
  std::vector<model_question> take_calls();
  std::vector<grade_question> take_grades();
  void answer(const model_reply& reply);
  void answer(const grade_reply& reply);

private:
  template <class Reply>
  struct waiter {
    run_id run;
    job_id job;
    std::uint32_t number = 0; ///< the number of the call in its job
    std::optional<Reply> reply;
  };
  template <class Question, class Reply>
  struct queue {
    std::vector<Question> asked;
    std::vector<std::shared_ptr<waiter<Reply>>> waiting;
  };

  /// Queues the question and waits for the reply. A reply with an error returns
  /// that error.
  template <class Question, class Reply>
  result<Reply> carry(queue<Question, Reply>& through, Question asked,
                      const std::atomic<bool>* cancelled);

  std::mutex mutex_;
  std::condition_variable changed_;
  std::function<void()> wake_;
  bool closed_ = false;
  queue<model_question, model_reply> calls_;
  queue<grade_question, grade_reply> grades_;
};

} // namespace brewery
