#include "sim/cluster_sim.hpp"

#include "sim/retraced.hpp"
#include "sim/simulated_work.hpp"
#include "sim/worker_node.hpp"

#include <fmt/format.h>

#include <mutex>

namespace brewery::simulated {

namespace {

constexpr instant second{1'000'000};
constexpr std::uint64_t shapes = 4;
constexpr std::uint64_t max_events = 400'000;

/// Of every four seeds of a shape, one has a quorum of one of its two trees.
bool has_quorum(std::uint64_t seed) {
  return seed / shapes % 4 == 3;
}

brew_settings settings_of(std::uint64_t seed) {
  const auto shape = seed % shapes;
  auto out = simulated_settings();
  out.seed = 100 + shape;
  if (has_quorum(seed)) out.learner.gather_quorum = 0.5;
  out.train = simulated_tasks("train", 4 + shape % 2);
  out.learner.iterations = 3;
  out.search.candidates = 2;
  out.eval_choice.max_per_concept = 2;
  return out;
}

class world {
public:
  explicit world(const sim_options& options)
      : options_(options), draw_(rng_key(options.seed, "world")),
        net_(time_, options.seed, options.seed % 8 == 0),
        settings_(
            std::make_shared<const brew_settings>(settings_of(options.seed))),
        workers_(2 + draw_.below(4)) {
    cluster_.job_limit = std::chrono::minutes{1};
    cluster_.max_crashes = 1000; // here they never die of a job
    // Nor is a job to blame when one worker fails it and the others are away.
    cluster_.max_failures = 100;
  }

  sim_report run();
  /// The violation, if the search ended otherwise than expected.
  void compare(sim_report& report, const final_state& expected) const;
  [[nodiscard]] const std::optional<final_state>& outcome() const {
    return coordinator_->outcome();
  }

private:
  struct process {
    std::uint64_t generation = 0; ///< of the process that runs now
    bool alive = false;
    instant clock_ahead{0}; ///< of the world; grows at jumps
    std::vector<std::function<void()>> held_back; ///< while paused
  };
  struct worker_slot : process {
    simulated_spool spool;
    std::unique_ptr<worker_node> node;
    std::uint64_t starts = 0;
  };

  process& process_at(node_number n) {
    return n == 0 ? coordinator_process_ : workers_[n - 1];
  }
  node_port port_of(node_number n);
  /// Runs when the process lives and is awake; never after it died.
  void run_at(node_number n, std::uint64_t generation,
              std::function<void()> what);
  void start_coordinator();
  void start_worker(node_number n);
  void kill(node_number n);
  void ticks(node_number n, std::uint64_t generation);
  void pause_for(node_number n, instant length);
  void cut_for(node_number n, bool out, bool in, instant length);
  void one_fault();
  void plan_faults();
  void heal();
  void say(const std::string& what) {
    if (options_.trace)
      options_.trace(
          fmt::format("{:9.3f} s  {}",
                      static_cast<double>(time_.now().count()) * 1e-6, what));
  }
  void violate(std::string what) {
    if (violation_.empty()) violation_ = std::move(what);
  }
  instant up_to(instant longest) {
    return instant{1
                   + static_cast<std::int64_t>(draw_.below(
                       static_cast<std::uint64_t>(longest.count())))};
  }
  node_number any_worker() { return 1 + draw_.below(workers_.size()); }

  sim_options options_;
  rng draw_;
  clockwork time_;
  network net_;
  cluster_options cluster_;
  std::shared_ptr<const brew_settings> settings_;
  durable_log log_;
  process coordinator_process_;
  std::unique_ptr<coordinator_node> coordinator_;
  std::vector<worker_slot> workers_;
  std::vector<std::unique_ptr<coordinator_node>> dead_coordinators_;
  std::vector<std::unique_ptr<worker_node>> dead_workers_;
  instant fault_end_{0};
  std::string violation_;
  std::uint64_t faults_ = 0;
};

node_port world::port_of(node_number n) {
  const auto generation = process_at(n).generation;
  return {[this, n] { return time_.now() + process_at(n).clock_ahead; },
          [=, this](instant delay, std::function<void()> what) {
            time_.after(delay, [=, this, what = std::move(what)] {
              run_at(n, generation, what);
            });
          },
          [=, this](node_number to, const wire::message& message) {
            net_.send(n, to, message);
          },
          [=, this](std::string what) {
            violate(fmt::format("node {}: {}", n, what));
          }};
}

void world::run_at(node_number n, std::uint64_t generation,
                   std::function<void()> what) {
  auto& owner = process_at(n);
  if (!owner.alive || owner.generation != generation) return;
  if (net_.is_paused(n))
    owner.held_back.push_back([=, this] { run_at(n, generation, what); });
  else
    what();
}

void world::ticks(node_number n, std::uint64_t generation) {
  constexpr instant coordinator_tick{250'000};
  auto every = coordinator_tick;
  if (n == 0) {
    coordinator_->tick();
  } else {
    auto& slot = workers_[n - 1];
    slot.node->tick();
    every = slot.node->tick_every();
    if (slot.node->left()) { // it ended by itself; another takes its place
      kill(n);
      return time_.after(second, [=, this] { start_worker(n); });
    }
  }
  time_.after(every, [=, this] {
    run_at(n, generation, [=, this] { ticks(n, generation); });
  });
}

void world::start_coordinator() {
  auto& owner = coordinator_process_;
  if (owner.alive) return;
  owner.alive = true;
  const auto generation = ++owner.generation;
  coordinator_ = std::make_unique<coordinator_node>(
      port_of(0), cluster_, settings_, log_, options_.seed);
  net_.listen(0, [=, this](node_number from, const wire::message& message) {
    run_at(0, generation, [&] { coordinator_->receive(from, message); });
  });
  coordinator_->start();
  ticks(0, generation);
}

void world::start_worker(node_number n) {
  auto& slot = workers_[n - 1];
  if (slot.alive) return;
  slot.alive = true;
  const auto generation = ++slot.generation;
  worker_profile profile;
  profile.name = fmt::format("worker{}", n);
  profile.incarnation = fmt::format("{}-{}", n, ++slot.starts);
  profile.host = fmt::format("host{}", n % 2);
  profile.slots = static_cast<std::uint32_t>(1 + (n + options_.seed) % 3);
  profile.roles = {"rollout", "integrate", "embed"};
  profile.benchmarks = {{"simulated", "fingerprint"}};
  worker_habits habits;
  habits.slots = profile.slots;
  habits.flaky = n == 2 && options_.seed % 3 == 0;
  slot.node =
      std::make_unique<worker_node>(port_of(n), cluster_, std::move(profile),
                                    habits, slot.spool, options_.seed);
  net_.listen(n, [=, this](node_number, const wire::message& message) {
    run_at(n, generation, [&] { workers_[n - 1].node->receive(message); });
  });
  slot.node->start();
  ticks(n, generation);
}

void world::kill(node_number n) {
  auto& owner = process_at(n);
  if (!owner.alive) return;
  owner.alive = false;
  owner.held_back.clear();
  net_.resume(n);
  if (n == 0) {
    coordinator_->lose_memory(draw_.below(2) == 0);
    dead_coordinators_.push_back(std::move(coordinator_));
    return;
  }
  dead_workers_.push_back(std::move(workers_[n - 1].node));
  // The connection breaks; sometimes nobody notices.
  if (draw_.below(4) != 0)
    time_.after(instant{1'000}, [=, this] {
      if (coordinator_process_.alive) coordinator_->disconnected(n);
    });
}

void world::pause_for(node_number n, instant length) {
  net_.pause(n);
  time_.after(length, [=, this] {
    net_.resume(n);
    auto waiting = std::move(process_at(n).held_back);
    process_at(n).held_back.clear();
    for (auto& what : waiting)
      what();
  });
}

void world::cut_for(node_number n, bool out, bool in, instant length) {
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
  switch (draw_.below(10)) {
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
    coordinator_->set_disk_full(true);
    return time_.after(up_to(5 * second), [this] {
      if (coordinator_process_.alive) coordinator_->set_disk_full(false);
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
    net_.set_weather(
        {0.2 * draw_.uniform(), 0.2 * draw_.uniform(), 0.1 * draw_.uniform(),
         instant{2'000 + 50'000 * static_cast<std::int64_t>(draw_.below(3))},
         4 * second});
  time_.at(fault_end_ + 30 * second, [this] { heal(); });
}

void world::heal() {
  say("no more faults: " + coordinator_->state());
  net_.set_weather({});
}

sim_report world::run() {
  if (options_.faults) plan_faults();
  for (node_number n = 0; n <= workers_.size(); ++n)
    process_at(n).clock_ahead = up_to(1000 * second);
  start_coordinator();
  for (node_number n = 1; n <= workers_.size(); ++n)
    time_.after(up_to(second), [=, this] { start_worker(n); });
  const auto deadline = fault_end_ + 30 * second + 300 * second;
  sim_report out;
  const auto done = [this] {
    return coordinator_process_.alive && coordinator_->outcome();
  };
  while (violation_.empty() && !done() && time_.step()) {
    ++out.events;
    if (time_.now() > deadline || out.events > max_events)
      violate("the search does not end after the faults are over: "
              + (coordinator_ ? coordinator_->state() : "no coordinator"));
  }
  if (violation_.empty() && !done()) violate("nothing happens any more");
  if (coordinator_process_.alive) {
    const auto& counts = coordinator_->table().counts();
    out.adopted = counts.adopted;
    out.stale = counts.stale;
    out.backups = counts.backups;
    if (violation_.empty() && counts.quarantined > 0)
      violate("a job was given up: "
              + coordinator_->table().quarantine().front().reason);
  }
  out.violation = violation_;
  out.messages = net_.sent();
  out.faults = faults_;
  out.jobs = log_.results.size();
  out.simulated_seconds = static_cast<double>(time_.now().count()) * 1e-6;
  return out;
}

void world::compare(sim_report& report, const final_state& expected) const {
  if (*outcome() != expected)
    report.violation = "the search ended differently than without faults";
  report.late = count_late(outcome()->gathers);
}

/// Of the shape of this seed, run once without faults.
const final_state& undisturbed(std::uint64_t shape) {
  static std::once_flag once[shapes];
  static std::optional<final_state> states[shapes];
  std::call_once(once[shape], [shape] {
    sim_options calm;
    calm.seed = shape;
    calm.faults = false;
    world quiet{calm};
    const auto report = quiet.run();
    BREWERY_ASSERT(report.violation.empty());
    states[shape] = quiet.outcome();
  });
  return *states[shape];
}

} // namespace

sim_report simulate_cluster(const sim_options& options) {
  world one{options};
  auto report = one.run();
  if (!report.violation.empty()) return report;
  // With a quorum, faults decide who is late, and nothing else: without any
  // cluster the same trees being late must give the same.
  if (has_quorum(options.seed))
    one.compare(report,
                retraced(settings_of(options.seed), one.outcome()->gathers));
  else
    one.compare(report, undisturbed(options.seed % shapes));
  return report;
}

} // namespace brewery::simulated
