#include "sim/world.hpp"

#include "sim/simulated_work.hpp"

#include <algorithm>

namespace brewery::simulated {

namespace {

constexpr std::uint64_t max_events = 1'000'000;
constexpr microseconds patience = 30 * second; ///< with an open question

} // namespace

world::world(const sim_options& options, const brew_settings& settings)
    : options_(options), draw_(rng_key(options.seed, "world")),
      net_(time_, options.seed, options.seed % 8 == 0),
      settings_(std::make_shared<const brew_settings>(settings)),
      workers_(2 + draw_.below(4)) {
  cluster_.job_limit = std::chrono::minutes{1};
  cluster_.max_crashes = 1000; // no crash here is caused by a job
  // The same for failures: often one worker fails a job while the others are
  // away.
  cluster_.max_failures = 100;
  shape_.models = draw_.below(3) > 0;
  shape_.graders = draw_.below(3) == 0;
  shape_.players_grade = shape_.graders && draw_.below(2) == 0;
  shape_.is_quick = options_.seed % 4 == 1;
  if (shape_.is_quick) shape_.models = false; // no job waits for one
  if (shape_.graders) workers_.resize(workers_.size() + 1);
  log_.grades_first = shape_.graders && !shape_.players_grade;
}

node_port world::port_of(node_number n) {
  const auto generation = process_at(n).generation;
  return {[this, n] { return time_.now() + process_at(n).clock_ahead; },
          [=, this](microseconds delay, std::function<void()> what) {
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
  constexpr microseconds coordinator_tick{250'000};
  auto every = coordinator_tick;
  if (n == 0) {
    coordinator_->tick();
  } else {
    auto& slot = workers_[n - 1];
    slot.node->tick();
    every = slot.node->tick_every();
    check_questions(*slot.node);
    if (slot.node->left()) { // it ended itself: start another
      kill(n);
      return time_.after(second, [=, this] { start_worker(n); });
    }
  }
  time_.after(every, [=, this] {
    run_at(n, generation, [=, this] { ticks(n, generation); });
  });
}

/// Once the faults have stopped, every question is answered within its
/// repetition time plus the time of a model or a grader.
void world::check_questions(const worker_node& worker) {
  if (calm_since_ && time_.now() - *calm_since_ > patience
      && worker.longest_wait() > patience)
    violate("a question of a job is not answered");
}

/// A late question may be lost: the run is not over until that is known.
bool world::is_question_late() const {
  return std::any_of(workers_.begin(), workers_.end(), [](const auto& slot) {
    return slot.alive && slot.node->longest_wait() > patience / 2;
  });
}

void world::start_coordinator() {
  auto& owner = coordinator_process_;
  if (owner.alive) return;
  owner.alive = true;
  const auto generation = ++owner.generation;
  coordinator_ = std::make_unique<coordinator_node>(
      port_of(0), cluster_, settings_, log_, options_.seed);
  coordinator_->disk().set_full(time_.now() < disk_free_at_);
  coordinator_->set_keys_readable(time_.now() >= keys_back_at_);
  net_.listen(0, [=, this](node_number from, const wire::message& message) {
    run_at(0, generation, [&] { coordinator_->receive(from, message); });
  });
  coordinator_->start();
  ticks(0, generation);
}

/// If there are graders, the first worker only grades.
worker_profile world::profile_of(node_number n) {
  worker_profile out;
  out.name = fmt::format("worker{}", n);
  out.incarnation = fmt::format("{}-{}", n, ++workers_[n - 1].starts);
  out.host = fmt::format("host{}", n % 2);
  out.slots = static_cast<std::uint32_t>(1 + (n + options_.seed) % 3);
  const bool grades =
      shape_.graders && (n == 1 || (shape_.players_grade && n == 3));
  if (!grades || n != 1) {
    out.roles = {job_kind::rollout, job_kind::integrate, job_kind::embed};
    out.benchmarks = {{"simulated", "fingerprint"}};
  }
  if (grades) {
    out.roles.push_back(job_kind::grade);
    out.benchmarks.push_back({"simulated goldens", simulated_goldens});
  }
  return out;
}

void world::start_worker(node_number n) {
  auto& slot = workers_[n - 1];
  if (slot.alive) return;
  slot.alive = true;
  const auto generation = ++slot.generation;
  auto profile = profile_of(n);
  const bool grades =
      std::count(profile.roles.begin(), profile.roles.end(), job_kind::grade)
      > 0;
  worker_habits habits;
  habits.slots = profile.slots;
  habits.pace = shape_.is_quick ? 0.01 : 1;
  habits.flaky = n == 2 && options_.seed % 3 == 0;
  habits.asks_models = shape_.models;
  habits.asks_graders = shape_.graders && !grades;
  // Otherwise a grade may take as long as the job limit.
  if (grades) habits.hangs = 0;
  slot.node =
      std::make_unique<worker_node>(port_of(n), cluster_, std::move(profile),
                                    habits, slot.spool, options_.seed);
  net_.listen(n, [=, this](node_number, const wire::message& message) {
    run_at(n, generation, [&] { workers_[n - 1].node->receive(message); });
  });
  slot.node->start();
  ticks(n, generation);
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
    return coordinator_process_.alive && coordinator_->outcome()
           && !is_question_late();
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
    out.ahead = counts.ahead;
    if (violation_.empty() && counts.quarantined > 0)
      violate("a job was given up: "
              + coordinator_->table().quarantine().front().reason);
  }
  out.violation = violation_;
  out.messages = net_.sent();
  out.faults = faults_;
  out.jobs = log_.results.size();
  out.calls = log_.replies.size();
  out.grades = log_.grades;
  out.simulated_seconds = static_cast<double>(time_.now().count()) * 1e-6;
  return out;
}

} // namespace brewery::simulated
