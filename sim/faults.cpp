/// The faults of a simulated cluster.

#include "sim/world.hpp"

namespace brewery::simulated {

void world::kill(node_number n) {
  auto& owner = process_at(n);
  if (!owner.alive) return;
  owner.alive = false;
  owner.held_back.clear();
  net_.resume(n);
  if (n == 0) {
    coordinator_->disk().lose_memory(draw_.below(2) == 0);
    dead_coordinators_.push_back(std::move(coordinator_));
    return;
  }
  dead_workers_.push_back(std::move(workers_[n - 1].node));
  // The connection breaks. Sometimes nobody notices.
  if (draw_.below(4) != 0)
    time_.after(microseconds{1'000}, [=, this] {
      if (coordinator_process_.alive) coordinator_->disconnected(n);
    });
}

void world::pause_for(node_number n, microseconds length) {
  net_.pause(n);
  time_.after(length, [=, this] {
    net_.resume(n);
    auto waiting = std::move(process_at(n).held_back);
    process_at(n).held_back.clear();
    for (auto& what : waiting)
      what();
  });
}

void world::cut_for(node_number n, bool out, bool in, microseconds length) {
  if (out) net_.cut(n, 0);
  if (in) net_.cut(0, n);
  time_.after(length, [=, this] {
    net_.heal(n, 0);
    net_.heal(0, n);
  });
}

void world::one_fault() {
  ++faults_;
  const auto n = any_worker();
  switch (draw_.below(12)) {
  case 0:
  case 1:
    say(fmt::format("worker {} is killed", n));
    kill(n);
    return time_.after(up_to(5 * second), [=, this] { start_worker(n); });
  case 2:
    say("the coordinator is killed: " + coordinator_->state());
    kill(0);
    return time_.after(up_to(4 * second), [this] { start_coordinator(); });
  case 3:
    say(fmt::format("worker {} is cut off", n));
    return cut_for(n, true, true, up_to(25 * second));
  case 4: {
    const bool out = draw_.below(2) == 0;
    say(fmt::format("worker {} is cut off {}", n, out ? "outward" : "inward"));
    return cut_for(n, out, !out, up_to(25 * second));
  }
  case 5:
    say(fmt::format("worker {} is paused", n));
    return pause_for(n, up_to(25 * second));
  case 6:
    say("the coordinator is paused");
    return pause_for(0, up_to(12 * second));
  case 7: {
    const auto who = draw_.below(workers_.size() + 1);
    say(fmt::format("the clock of node {} jumps", who));
    process_at(who).clock_ahead += up_to(60 * second);
    return;
  }
  case 8:
    say("the coordinator's disk is full");
    coordinator_->disk().set_full(true);
    disk_free_at_ = time_.now() + up_to(5 * second);
    return time_.at(disk_free_at_, [this] {
      if (coordinator_process_.alive && time_.now() >= disk_free_at_)
        coordinator_->disk().set_full(false);
    });
  case 9:
    say("the list of keys is gone");
    coordinator_->set_keys_readable(false);
    keys_back_at_ = time_.now() + up_to(12 * second);
    return time_.at(keys_back_at_, [this] {
      if (coordinator_process_.alive && time_.now() >= keys_back_at_)
        coordinator_->set_keys_readable(true);
    });
  case 10:
    if (!shape_.models) return;
    say("language models let jobs go");
    coordinator_->models().set_moody(true);
    return time_.after(up_to(5 * second), [this] {
      if (coordinator_process_.alive) coordinator_->models().set_moody(false);
    });
  default:
    say(fmt::format("worker {} gets SIGTERM, or its connection breaks", n));
    if (draw_.below(2) == 0) return coordinator_->disconnected(n);
    if (workers_[n - 1].alive && !net_.is_paused(n))
      workers_[n - 1].node->terminate();
  }
}

void world::plan_faults() {
  fault_end_ = second * static_cast<std::int64_t>(2 + draw_.below(20));
  const auto count = 1 + draw_.below(16);
  for (std::uint64_t i = 0; i < count; ++i)
    time_.at(up_to(fault_end_), [this] {
      if (coordinator_process_.alive && !net_.is_paused(0)) one_fault();
    });
  if (draw_.below(2) == 0)
    net_.set_faults(
        {0.2 * draw_.uniform(), 0.2 * draw_.uniform(), 0.1 * draw_.uniform(),
         microseconds{2'000
                      + 50'000 * static_cast<std::int64_t>(draw_.below(3))},
         4 * second});
  time_.at(fault_end_ + 30 * second, [this] { heal(); });
}

void world::heal() {
  say("no more faults: " + coordinator_->state());
  net_.set_faults({});
  calm_since_ = time_.now();
}

} // namespace brewery::simulated
