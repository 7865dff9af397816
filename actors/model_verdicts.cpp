/// What roles say of replies, and what is asked anew for it (ADR 0024).

#include "actors/model_broker.hpp"

#include <fmt/format.h>

namespace brewery {

void model_broker::take_verdict(const model_call& call, answer_handler done) {
  if (call.verdict != model_call::rejected || !in_.recording)
    return done(model_answer{});
  const call_place place{call.job, call.number};
  std::string key;
  bool closed = false;
  {
    const std::lock_guard lock{mutex_};
    closed = closed_;
    const auto asked = asked_.find(place);
    if (asked != asked_.end()) key = asked->second;
  }
  if (closed) return done(model_answer{});
  if (!key.empty()) return reject(call.job, key, std::move(done));
  // A worker got the reply from the process before this one.
  const auto& before = in_.recording->index().by_place;
  const auto reply = before.find(place);
  if (reply == before.end()) return done(model_answer{});
  in_.recording->read(reply->second, [self = shared_from_this(), job = call.job,
                                      done](const auto& record) {
    if (!record) return done(record.error());
    self->reject(job, record->key, done);
  });
}

void model_broker::reject(const job_id& job, const std::string& key,
                          answer_handler done) {
  std::uint64_t latest = 0;
  {
    const std::lock_guard lock{mutex_};
    latest = known_.reject(job, key);
  }
  // Another reply to the call may be recorded before this is.
  in_.recording->mark(rejected_event, job, fmt::format("{} {}", key, latest),
                      [done = std::move(done)](const auto& event) {
                        if (event) return done(model_answer{});
                        done(event.error());
                      });
}

/// What comes of it is recorded after it. So nobody waits for the disk.
void model_broker::ask_anew(const job_id& job) {
  {
    const std::lock_guard lock{mutex_};
    if (closed_ || !known_.ask_anew(job)) return;
  }
  if (in_.recording)
    in_.recording->mark(ask_anew_event, job, {},
                        [](const result<std::uint64_t>&) {});
}

} // namespace brewery
