#include "server/page_orders.hpp"

#include "messages/json.hpp"
#include "server/order_words.hpp"

#include <algorithm>

namespace brewery {

namespace {

constexpr std::size_t waiting_max = 64;

operator_reply refused(std::string why) {
  operator_reply out;
  out.error = std::move(why);
  return out;
}

} // namespace

page_orders::page_orders(http_handler pages)
    : pages_(std::move(pages)), thread_([this] { make(); }) {}

page_orders::~page_orders() {
  end();
}

void page_orders::end() {
  {
    const std::lock_guard guard{mutex_};
    done_ = true;
  }
  changed_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void page_orders::take(const std::string& asker,
                       const operator_request& request, answer reply) {
  if (!pages_) return reply(refused("this coordinator serves no pages"));
  {
    const std::lock_guard guard{mutex_};
    if (done_) return;
    // It is sent again until it is answered, also while it is made.
    if (std::ranges::any_of(waiting_, [&](const order& one) {
          return one.asker == asker && one.request.number == request.number;
        }))
      return;
    if (waiting_.size() < waiting_max) {
      waiting_.push_back({asker, request, std::move(reply)});
      changed_.notify_one();
      return;
    }
  }
  reply(refused("too many pages are asked for; ask again"));
}

operator_reply page_orders::page(const operator_request& request) const {
  operator_reply out;
  try {
    auto made = pages_(
        {word(request.arguments, "path"), word(request.arguments, "query")});
    out.body =
        json{{"status", made.status}, {"type", made.content_type}}.dump();
    out.content = std::move(made.body);
  } catch (const std::exception& failure) {
    return refused(failure.what());
  }
  return out;
}

void page_orders::make() {
  std::unique_lock guard{mutex_};
  for (;;) {
    changed_.wait(guard, [this] { return done_ || !waiting_.empty(); });
    if (done_) return;
    // It stays among those that wait until it is made; what is added behind it
    // does not move it.
    const auto& next = waiting_.front();
    guard.unlock();
    auto made = page(next.request);
    guard.lock();
    const auto reply = std::move(waiting_.front().reply);
    waiting_.pop_front();
    guard.unlock();
    reply(std::move(made));
    guard.lock();
  }
}

} // namespace brewery
