#pragma once
/// The open questions of a worker's jobs to the coordinator. A question is sent
/// when it is asked, with every new session, and every `lease`, until the reply
/// is here or the job is dropped. Owned by a worker's session. PURE.

#include "cluster/options.hpp"
#include "messages/cluster_msgs.hpp"

#include <map>
#include <tuple>
#include <utility>
#include <vector>

namespace brewery {

/// Identifies an open question of a worker, in the question and in its reply: a
/// job makes many model calls and has one grade.
template <class Message>
auto place_of(const Message& message) {
  if constexpr (requires { message.number; })
    return std::tuple{message.run, message.job, message.number};
  else
    return std::tuple{message.run, message.job};
}

template <class Ask>
class repeated_asks {
public:
  /// Adds a question. Its session is filled in when it is sent.
  void add(Ask ask) {
    auto place = place_of(ask);
    open_.try_emplace(std::move(place),
                      question{std::move(ask), microseconds{0}});
  }

  /// The questions to send now under this session. Each is repeated after
  /// `again`.
  std::vector<Ask> due(std::uint64_t session, microseconds now,
                       microseconds again) {
    std::vector<Ask> out;
    for (auto& [place, asked] : open_) {
      if (now < asked.due_at) continue;
      asked.due_at = again;
      out.push_back(asked.ask);
      out.back().session = session;
    }
    return out;
  }

  /// A new session has begun: all questions are due.
  void renew() {
    for (auto& [place, asked] : open_)
      asked.due_at = microseconds{0};
  }

  /// Removes the question. Returns whether the reply was expected.
  template <class Reply>
  bool answered(const Reply& reply) {
    return open_.erase(place_of(reply)) > 0;
  }

  /// Drops the job's questions.
  void forget(const run_id& run, const job_id& job) {
    std::erase_if(open_, [&](const auto& item) {
      return item.second.ask.run == run && item.second.ask.job == job;
    });
  }

  [[nodiscard]] std::size_t size() const { return open_.size(); }

private:
  struct question {
    Ask ask;
    microseconds due_at{0};
  };
  using key = decltype(place_of(std::declval<const Ask&>()));
  std::map<key, question> open_;
};

} // namespace brewery
