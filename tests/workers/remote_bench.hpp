#pragma once
/// A pool that writes down what proxies of workers tell it, and virtual time in
/// which proxies live.

#include "messages/wire/frame_batch.hpp"
#include "tests/fixtures/deterministic_system.hpp"
#include "workers/worker_acceptor.hpp"

namespace brewery::test {

struct stub_pool {
  std::vector<joining_worker> joined;
  std::vector<from_worker> heard;
  /// What a joining worker may keep.
  std::vector<job_table::adoption> adopts;

  static pool_actor::behavior_type run(pool_actor::pointer,
                                       std::shared_ptr<stub_pool> state) {
    return {
        [](atom::run, const run_id&, const job&) -> caf::result<packed_result> {
          return packed_result{};
        },
        [](atom::journalled, const run_id&,
           const job_id&) -> caf::result<void> { return caf::unit; },
        [](atom::stop, const run_id&) -> caf::result<void> {
          return caf::unit;
        },
        [](const run_opening&) -> caf::result<void> { return caf::unit; },
        [](const share_change&) -> caf::result<void> { return caf::unit; },
        [](atom::close, const run_id&, bool) -> caf::result<void> {
          return caf::unit;
        },
        [=](const joining_worker& who) -> caf::result<joined_worker> {
          state->joined.push_back(who);
          return joined_worker{
              worker_id{static_cast<std::uint32_t>(state->joined.size())},
              state->adopts};
        },
        [=](const from_worker& message) -> caf::result<void> {
          state->heard.push_back(message);
          return caf::unit;
        },
        [](const log_change&) -> caf::result<void> { return caf::unit; },
        [](atom::status) -> caf::result<pool_status_ptr> {
          return pool_status_ptr{};
        },
        [](atom::drain, const std::string&) -> caf::result<std::uint64_t> {
          return std::uint64_t{0};
        },
        [](atom::tick) -> caf::result<void> { return caf::unit; },
        [](atom::grant) -> caf::result<void> { return caf::unit; },
    };
  }

  /// What it heard of one kind, in order.
  template <class T>
  std::vector<T> of() const {
    std::vector<T> out;
    for (const auto& message : heard)
      for (const auto& report : message.reports)
        if (const auto* one = std::get_if<T>(&report)) out.push_back(*one);
    return out;
  }
};

inline lease_key lease_of(const std::string& job, std::uint64_t attempt = 1) {
  return {{"s"}, {job}, attempt, 7};
}

inline worker_hello hello_of(const std::string& name) {
  worker_hello out;
  out.sequence = 1;
  out.worker = name;
  out.incarnation = name + "-1";
  out.slots = 2;
  out.roles = {"rollout"};
  return out;
}

inline std::shared_ptr<const std::string> bytes_of(const wire::message& body) {
  return std::make_shared<const std::string>(wire::frame(body));
}

/// The messages of one kind among frames, in order.
template <class T>
std::vector<T> among(const std::vector<std::string>& frames) {
  std::vector<T> out;
  for (const auto& bytes : frames) {
    const auto parts = wire::frames_in(bytes);
    REQUIRE(parts);
    for (const auto part : *parts) {
      auto message = wire::unframe(part);
      REQUIRE(message);
      if (auto* one = std::get_if<T>(&*message)) out.push_back(std::move(*one));
    }
  }
  return out;
}

/// A graded rollout, as an honest worker sends it.
inline job_result rollout_of(const std::string& job) {
  rollout_result made;
  made.id = {job};
  return make_result(std::move(made));
}

} // namespace brewery::test
