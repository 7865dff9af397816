/// The orders of a coordinator and their answers.

#include "messages/json.hpp"
#include "run/guarded.hpp"
#include "server/coordinator_service.hpp"
#include "server/managed_run.hpp"
#include "server/order_words.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <utility>

namespace brewery {

namespace fs = std::filesystem;

/// An order that is sent again before it is answered gets the one answer that
/// is on its way: a slow order would otherwise be carried out as often as its
/// asker had the patience to repeat it, and all others wait.
void coordinator_service::take_order(order what) {
  const std::lock_guard guard{mutex_};
  if (!unanswered_.emplace(what.asker, what.request.number).second) return;
  orders_.push_back(std::move(what));
  changed_.notify_one();
}

void coordinator_service::carry_out_orders() {
  for (;;) {
    count_runs();
    std::unique_lock guard{mutex_};
    const auto wanted = [this] {
      return done_ || run_ended_ || !orders_.empty();
    };
    if (!host_again_at_)
      changed_.wait(guard, wanted);
    else if (!changed_.wait_until(guard, *host_again_at_, wanted))
      run_ended_ = true; // or may begin now
    if (done_) return;
    if (std::exchange(run_ended_, false)) {
      host_again_at_.reset();
      guard.unlock();
      if (auto ok = guarded([this]() -> result<void> {
            for (const auto& [id, run] : runs_)
              run->join_if_ended();
            host_queued();
            groups_->store_shared();
            return {};
          });
          !ok)
        spdlog::error("queued runs wait: {}", ok.error().message);
      continue;
    }
    const auto next = std::move(orders_.front());
    orders_.pop_front();
    guard.unlock();
    auto answer = answer_to(next);
    if (!answer) continue;
    guard.lock();
    unanswered_.erase({next.asker, next.request.number});
    guard.unlock();
    next.reply(std::move(*answer));
  }
}

namespace {

operator_reply refusal_of(const error& why) {
  operator_reply out;
  out.error = why.message;
  out.code = static_cast<std::uint32_t>(why.code);
  return out;
}

operator_reply reply_of(const result<nlohmann::ordered_json>& body) {
  if (!body) return refusal_of(body.error());
  operator_reply out;
  out.body =
      body->dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  return out;
}

} // namespace

std::optional<operator_reply>
coordinator_service::answer_to(const order& what) {
  const auto& request = what.request;
  if (request.verb == "read") {
    auto piece = guarded([&] { return read_piece(request.arguments); });
    if (!piece) return refusal_of(piece.error());
    operator_reply answer;
    answer.content = std::move(*piece);
    return answer;
  }
  if (request.verb == "submit") {
    auto body = guarded([&] { return submit(what); });
    if (!body) return reply_of(body.error());
    if (!*body) return std::nullopt;
    return reply_of(std::move(**body));
  }
  return reply_of(guarded([&] { return carry_out(request); }));
}

result<nlohmann::ordered_json>
coordinator_service::carry_out(const operator_request& request) {
  const auto& words = request.arguments;
  if (request.verb == "status") return status();
  if (request.verb == "cancel") return cancel(words);
  if (request.verb == "group") return group(words);
  if (request.verb == "reward") return reward(words);
  if (request.verb == "resume") return resume(words);
  if (request.verb == "workers") return workers();
  if (request.verb == "drain") return drain(words);
  if (request.verb == "check_keys") {
    if (!options_.listen.keys)
      return error{ec::invalid_argument,
                   "this coordinator checks no keys: it was started without "
                   "--keys"};
    const auto ended = runtime_->check_keys();
    if (!ended) return ended.error();
    return nlohmann::ordered_json{
        {"sessions", *ended},
        {"still_allowed", still_allows(word(words, "revoked"))}};
  }
  if (request.verb == "quarantine") return quarantine(words);
  if (request.verb == "retry") return retry(words);
  if (request.verb == "files") return files(words);
  if (request.verb == "set") return set(words);
  if (request.verb == "logs") return logs(words);
  return error{ec::invalid_argument,
               fmt::format("this coordinator ({}) does not know the order {}",
                           BREWERY_VERSION, json_quoted(request.verb))};
}

} // namespace brewery
