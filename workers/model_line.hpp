#pragma once
/// A worker process's way to language models, and of its rollouts to graders:
/// its jobs ask here, the network thread carries questions to the coordinator
/// and replies back. Thread-safe; shared by the jobs and the network thread.

#include "llm/model_port.hpp"
#include "messages/cluster_msgs.hpp"
#include "messages/grade_msgs.hpp"

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace brewery {

class model_line final : public model_port {
public:
  /// A question on its way; `call` is its wire form.
  struct question {
    job_id job;
    std::uint32_t number = 0;
    std::string call;
  };

  /// Blocks the job's thread until the reply, or until it is cancelled.
  result<model_answer> ask(const model_call& call,
                           const std::atomic<bool>* cancelled) override;

  /// The same for the grade of a rollout.
  result<grade_report> grade(const job_id& rollout, const task_id& task,
                             const std::vector<answer_file>& answers,
                             const std::atomic<bool>* cancelled);

  /// For the network thread: `wake` is called when there is a question.
  void open(std::function<void()> wake);
  /// No question is taken any more, all that wait are cancelled.
  void close();
  std::vector<question> take();
  void answer(const model_reply& reply);

private:
  struct waiter;
  /// The reply's `answer`.
  result<std::string> carry(question asked, const std::atomic<bool>* cancelled);

  std::mutex mutex_;
  std::condition_variable changed_;
  std::function<void()> wake_;
  bool closed_ = false;
  std::vector<question> asked_;
  std::vector<std::shared_ptr<waiter>> waiting_;
};

} // namespace brewery
