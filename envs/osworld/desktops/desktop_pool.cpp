#include "envs/osworld/desktops/desktop_pool.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace brewery::osworld {

namespace {

/// The cause of a failed start may be repaired while this process runs.
constexpr child::restart_rules restarts{.refused_pause =
                                            std::chrono::seconds{15},
                                        .patience = std::chrono::seconds{60}};

std::size_t slots_of(const desktop_provider& provider,
                     const pool_options& options) {
  const auto asked = options.leases + options.spares;
  return provider.most() == 0 ? asked : std::min(asked, provider.most());
}

} // namespace

desktop_pool::lease::lease(lease&& other) noexcept
    : pool_(std::exchange(other.pool_, nullptr)), taken_(other.taken_) {}

desktop_pool::lease::~lease() {
  if (pool_) pool_->give_back(*taken_);
}

// A leased slot belongs to the lease: nobody else changes it.
const std::string& desktop_pool::lease::id() const {
  return taken_->has.id;
}

const guest_address& desktop_pool::lease::address() const {
  return taken_->has.address;
}

std::string desktop_pool::lease::ended() const {
  return pool_->provider_->ended(taken_->has);
}

desktop_pool::desktop_pool(std::unique_ptr<desktop_provider> provider,
                           screen_probe probe, pool_options options)
    : provider_(std::move(provider)), probe_(std::move(probe)),
      options_(options), failures_(restarts) {
  const auto count = slots_of(*provider_, options_);
  const std::lock_guard lock{mutex_};
  for (std::size_t i = 0; i < count; ++i) {
    slots_.push_back(std::make_unique<slot>());
    slots_.back()->keeper =
        std::thread{[this, mine = slots_.back().get()] { keep(*mine); }};
  }
}

desktop_pool::~desktop_pool() {
  {
    const std::lock_guard lock{mutex_};
    ending_ = true;
    changed_.notify_all();
  }
  for (const auto& one : slots_)
    one->keeper.join();
}

std::size_t desktop_pool::count(state of) const {
  return static_cast<std::size_t>(
      std::count_if(slots_.begin(), slots_.end(),
                    [of](const auto& one) { return one->is == of; }));
}

/// Whether one more desktop should be made ready: all of them, once somebody
/// uses them, but one at a time unless somebody waits.
bool desktop_pool::wanted() const {
  if (!used_ || ending_ || clock::now() < failures_.next_start()) return false;
  const auto ready = count(state::ready);
  const auto missing = waiting_ > ready ? waiting_ - ready : 0;
  return count(state::busy) < std::max<std::size_t>(missing, 1);
}

/// The thread of one slot: all that takes long is done here, unlocked.
void desktop_pool::keep(slot& mine) {
  std::unique_lock lock{mutex_};
  for (;;) {
    if (mine.is == state::dirty && (wanted() || !used_ || ending_)) {
      clean(mine, lock);
    } else if (mine.is == state::empty && wanted()) {
      make(mine, lock);
    } else if (ending_ && mine.is == state::ready) {
      mine.is = state::empty;
      provider_->stop(mine.has);
    } else if (ending_ && mine.is == state::empty) {
      return;
    } else if (failures_.next_start() > clock::now()) {
      changed_.wait_until(lock, failures_.next_start());
    } else {
      changed_.wait(lock);
    }
  }
}

void desktop_pool::make(slot& mine, std::unique_lock<std::mutex>& lock) {
  mine.is = state::busy;
  lock.unlock();
  auto made = provider_->start();
  result<void> ready = made ? result<void>{} : result<void>{made.error()};
  if (made) {
    mine.has = std::move(*made);
    ready = await_ready(
        mine.has.address, probe_, [&] { return provider_->ended(mine.has); },
        options_.ready);
    if (!ready) provider_->stop(mine.has);
  }
  lock.lock();
  settle(mine, ready);
}

/// After a lease. If nobody will use it, it is stopped instead.
void desktop_pool::clean(slot& mine, std::unique_lock<std::mutex>& lock) {
  if (!used_ || ending_) {
    mine.is = state::busy;
    lock.unlock();
    provider_->stop(mine.has);
    lock.lock();
    mine.is = state::empty;
    changed_.notify_all();
    return;
  }
  mine.is = state::busy;
  lock.unlock();
  auto ready = provider_->reset(mine.has);
  if (ready)
    ready = await_ready(
        mine.has.address, probe_, [&] { return provider_->ended(mine.has); },
        options_.ready);
  if (!ready) provider_->stop(mine.has);
  lock.lock();
  settle(mine, ready);
}

void desktop_pool::settle(slot& mine, const result<void>& made) {
  if (made) {
    // One that a release found half made is stopped like the others.
    mine.is = used_ ? state::ready : state::dirty;
    worked_ = true;
    failures_.clear();
  } else {
    mine.is = state::empty;
    failures_.add(made.error(), clock::now());
  }
  changed_.notify_all();
}

/// Leases a spare. One that has ended meanwhile is replaced instead. That is
/// asked unlocked: a provider that hangs keeps nobody else.
desktop_pool::slot*
desktop_pool::lease_ready(std::unique_lock<std::mutex>& lock) {
  for (const auto& one : slots_) {
    if (count(state::leased) >= options_.leases) return nullptr;
    if (one->is != state::ready) continue;
    one->is = state::leased;
    lock.unlock();
    const bool well = provider_->ended(one->has).empty();
    lock.lock();
    if (well) return one.get();
    one->is = state::dirty;
    changed_.notify_all();
  }
  return nullptr;
}

result<desktop_pool::lease> desktop_pool::take(clock::time_point deadline) {
  std::unique_lock lock{mutex_};
  ++waiting_;
  used_ = true;
  changed_.notify_all();
  struct leaving {
    std::size_t& waiting;
    ~leaving() { --waiting; }
  } const left{waiting_};
  for (;;) {
    if (auto* found = lease_ready(lock)) {
      changed_.notify_all();
      return lease{*this, *found};
    }
    const auto now = clock::now();
    if (count(state::leased) == 0 && now < failures_.next_start()
        && failures_.given_up(now, worked_))
      return failures_.refusal(
          fmt::format("a desktop ({})", provider_->name()));
    if (now >= deadline)
      return error{ec::timeout,
                   fmt::format("no desktop ({}) was ready in time; {} at once "
                               "are allowed",
                               provider_->name(), options_.leases)};
    changed_.wait_until(lock, deadline);
  }
}

void desktop_pool::give_back(slot& taken) {
  const std::lock_guard lock{mutex_};
  taken.is = state::dirty;
  changed_.notify_all();
}

void desktop_pool::release() {
  std::unique_lock lock{mutex_};
  used_ = false;
  for (const auto& one : slots_)
    if (one->is == state::ready) one->is = state::dirty;
  changed_.notify_all();
}

} // namespace brewery::osworld
