#include "workers/model_line.hpp"

#include "messages/wire/codec.hpp"
#include "messages/wire/frame.hpp"

#include <fmt/format.h>

#include <chrono>
#include <optional>

namespace brewery {

namespace {

/// How soon a cancelled job is let go.
constexpr std::chrono::milliseconds look_again{50};

/// What a frame has beside the call.
constexpr std::size_t frame_margin_bytes = 4096;

} // namespace

struct model_line::waiter {
  job_id job;
  std::uint32_t number = 0;
  std::optional<model_reply> reply;
};

result<std::string> model_line::carry(question asked,
                                      const std::atomic<bool>* cancelled) {
  if (asked.call.size() + frame_margin_bytes > wire::max_frame_bytes)
    return error{ec::context_too_long,
                 fmt::format("a call of {} bytes does not fit a message ({})",
                             asked.call.size(), wire::max_frame_bytes)};
  const auto mine = std::make_shared<waiter>();
  mine->job = asked.job;
  mine->number = asked.number;
  std::unique_lock lock{mutex_};
  if (closed_) return error{ec::cancelled, "the worker stops"};
  asked_.push_back(std::move(asked));
  waiting_.push_back(mine);
  if (wake_) wake_();
  while (!mine->reply && !closed_ && !(cancelled && *cancelled))
    changed_.wait_for(lock, look_again);
  std::erase(waiting_, mine);
  if (!mine->reply) return error{ec::cancelled, "cancelled"};
  if (mine->reply->code != ec::ok)
    return error{mine->reply->code, mine->reply->error};
  return std::move(mine->reply->answer);
}

result<model_answer> model_line::ask(const model_call& call,
                                     const std::atomic<bool>* cancelled) {
  const auto reply =
      carry({call.job, call.number, wire::encode(call)}, cancelled);
  if (!reply) return reply.error();
  auto answer = wire::decode<model_answer>(*reply);
  if (!answer) return answer.error();
  if (answer->chat.size() != call.chat.size()
      || answer->embedding.size() != call.embedding.size())
    return error{ec::malformed, "the coordinator's reply is to another call"};
  return answer;
}

result<grade_report> model_line::grade(const job_id& rollout,
                                       const task_id& task,
                                       const std::vector<answer_file>& answers,
                                       const std::atomic<bool>* cancelled) {
  const auto reply = carry(
      {rollout, grade_number, wire::encode(grade_job{{}, task, {}, answers})},
      cancelled);
  if (!reply) return reply.error();
  auto graded = wire::decode<grade_result>(*reply);
  if (!graded) return graded.error();
  if (graded->task != task)
    return error{ec::malformed, "the coordinator's grade is of another task"};
  return std::move(graded->grade);
}

void model_line::open(std::function<void()> wake) {
  const std::lock_guard lock{mutex_};
  wake_ = std::move(wake);
}

void model_line::close() {
  {
    const std::lock_guard lock{mutex_};
    closed_ = true;
    wake_ = nullptr;
  }
  changed_.notify_all();
}

std::vector<model_line::question> model_line::take() {
  const std::lock_guard lock{mutex_};
  return std::exchange(asked_, {});
}

void model_line::answer(const model_reply& reply) {
  {
    const std::lock_guard lock{mutex_};
    for (const auto& one : waiting_)
      if (one->job == reply.job && one->number == reply.number)
        one->reply = reply;
  }
  changed_.notify_all();
}

} // namespace brewery
