#pragma once
/// The order `page`: what /api/ answers to a path and a query, for `brewery ui
/// --connect`. Pages may be slow, so they are made on a thread of their own,
/// one after the other, and no other order waits for them. Thread-safe.

#include "messages/cluster_msgs.hpp"
#include "net/http_server.hpp"

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace brewery {

class page_orders {
public:
  using answer = std::function<void(operator_reply)>;

  /// Without a handler every order is refused.
  explicit page_orders(http_handler pages);
  ~page_orders();
  page_orders(const page_orders&) = delete;
  page_orders& operator=(const page_orders&) = delete;

  /// `reply` is called once, unless the same order waits or is under way, whose
  /// answer is this one's too, or everything ends. Its body is {"status": 200,
  /// "type": "application/json"}, its content the page.
  void take(const std::string& asker, const operator_request& request,
            answer reply);
  /// Waits for the page under way; later orders are not answered.
  void end();

private:
  struct order {
    std::string asker;
    operator_request request;
    answer reply;
  };
  void make();
  [[nodiscard]] operator_reply page(const operator_request& request) const;

  const http_handler pages_;
  std::mutex mutex_;
  std::condition_variable changed_;
  /// The first one is under way; guarded by mutex_.
  std::deque<order> waiting_;
  bool done_ = false; ///< guarded by mutex_
  std::thread thread_;
};

} // namespace brewery
