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

result<model_answer> content_of(const model_reply& reply,
                                const model_call& call) {
  if (reply.code != ec::ok) return error{reply.code, reply.error};
  auto answer = wire::decode<model_answer>(reply.answer);
  if (!answer) return answer.error();
  if (answer->chat.size() != call.chat.size()
      || answer->embedding.size() != call.embedding.size())
    return error{ec::malformed, "the coordinator's reply is to another call"};
  return answer;
}

} // namespace

struct model_line::waiter {
  job_id job;
  std::uint32_t number = 0;
  std::optional<model_reply> reply;
};

result<model_answer> model_line::ask(const model_call& call,
                                     const std::atomic<bool>* cancelled) {
  auto bytes = wire::encode(call);
  if (bytes.size() + frame_margin_bytes > wire::max_frame_bytes)
    return error{ec::context_too_long,
                 fmt::format("a call of {} bytes does not fit a message ({})",
                             bytes.size(), wire::max_frame_bytes)};
  const auto mine = std::make_shared<waiter>();
  mine->job = call.job;
  mine->number = call.number;
  std::unique_lock lock{mutex_};
  if (closed_) return error{ec::cancelled, "the worker stops"};
  asked_.push_back({call.job, call.number, std::move(bytes)});
  waiting_.push_back(mine);
  if (wake_) wake_();
  while (!mine->reply && !closed_ && !(cancelled && *cancelled))
    changed_.wait_for(lock, look_again);
  std::erase(waiting_, mine);
  if (!mine->reply) return error{ec::cancelled, "cancelled"};
  const auto reply = std::move(*mine->reply);
  lock.unlock();
  return content_of(reply, call);
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
