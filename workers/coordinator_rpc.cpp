#include "workers/coordinator_rpc.hpp"

#include "messages/wire/codec.hpp"
#include "messages/wire/frame.hpp"

#include <fmt/format.h>

#include <chrono>

namespace brewery {

namespace {

/// The interval at which a waiting job checks whether it was cancelled.
constexpr std::chrono::milliseconds poll_interval{50};

/// Bytes of a frame beside the call or the answers; an upper bound.
constexpr std::size_t frame_margin_bytes = 4096;

/// An error if a question of this size cannot be sent.
result<void> check_size(std::string_view what, std::size_t bytes) {
  if (bytes + frame_margin_bytes <= wire::max_frame_bytes) return {};
  return error{ec::context_too_long,
               fmt::format("{} of {} bytes does not fit a message ({})", what,
                           bytes, wire::max_frame_bytes)};
}

/// The number of a question within its job. A rollout has only one grade.
template <class Message>
std::uint32_t number_of(const Message& message) {
  if constexpr (requires { message.number; })
    return message.number;
  else
    return 0;
}

template <class Waiters, class Reply>
void hand_out(Waiters& waiting, const Reply& reply) {
  for (const auto& one : waiting)
    if (one->run == reply.run && one->job == reply.job
        && one->number == number_of(reply))
      one->reply = reply;
}

} // namespace

template <class Question, class Reply>
result<Reply> coordinator_rpc::carry(queue<Question, Reply>& through,
                                     Question asked,
                                     const std::atomic<bool>* cancelled) {
  const auto mine = std::make_shared<waiter<Reply>>();
  mine->run = asked.run;
  mine->job = asked.job;
  mine->number = number_of(asked);
  std::unique_lock lock{mutex_};
  if (closed_) return error{ec::cancelled, "the worker stops"};
  through.asked.push_back(std::move(asked));
  through.waiting.push_back(mine);
  if (wake_) wake_();
  while (!mine->reply && !closed_ && !(cancelled && *cancelled))
    changed_.wait_for(lock, poll_interval);
  std::erase(through.waiting, mine);
  if (!mine->reply) return error{ec::cancelled, "cancelled"};
  if (mine->reply->code != ec::ok)
    return error{mine->reply->code, mine->reply->error};
  return std::move(*mine->reply);
}

result<model_answer> coordinator_rpc::ask(const model_call& call,
                                          const model_caller& by) {
  auto bytes = wire::encode(call);
  if (auto fits = check_size("a call", bytes.size()); !fits)
    return fits.error();
  const auto reply = carry(
      calls_, {by.run, call.job, call.number, std::move(bytes)}, by.cancelled);
  if (!reply) return reply.error();
  auto answer = wire::decode<model_answer>(reply->answer);
  if (!answer) return answer.error();
  if (!answers(*answer, call))
    return error{ec::malformed,
                 "the coordinator's reply belongs to another call"};
  return answer;
}

result<grade_report>
coordinator_rpc::grade(const job_id& rollout, const task_id& task,
                       const std::vector<answer_file>& answers,
                       const model_caller& by) {
  // Encoded here only for its size: the session frames the question itself.
  const auto bytes =
      wire::encode(grade_ask{0, by.run, rollout, task, answers}).size();
  if (auto fits = check_size("an answer", bytes); !fits) return fits.error();
  auto reply = carry(grades_, {by.run, rollout, task, answers}, by.cancelled);
  if (!reply) return reply.error();
  if (reply->task != task)
    return error{ec::malformed,
                 "the coordinator's grade belongs to another task"};
  return std::move(reply->grade);
}

void coordinator_rpc::open(std::function<void()> wake) {
  const std::lock_guard lock{mutex_};
  wake_ = std::move(wake);
}

void coordinator_rpc::close() {
  {
    const std::lock_guard lock{mutex_};
    closed_ = true;
    wake_ = nullptr;
  }
  changed_.notify_all();
}

std::vector<coordinator_rpc::model_question> coordinator_rpc::take_calls() {
  const std::lock_guard lock{mutex_};
  return std::exchange(calls_.asked, {});
}

std::vector<coordinator_rpc::grade_question> coordinator_rpc::take_grades() {
  const std::lock_guard lock{mutex_};
  return std::exchange(grades_.asked, {});
}

void coordinator_rpc::answer(const model_reply& reply) {
  {
    const std::lock_guard lock{mutex_};
    hand_out(calls_.waiting, reply);
  }
  changed_.notify_all();
}

void coordinator_rpc::answer(const grade_reply& reply) {
  {
    const std::lock_guard lock{mutex_};
    hand_out(grades_.waiting, reply);
  }
  changed_.notify_all();
}

} // namespace brewery
