// <utility> must come before Asio of Boost 1.74 with GCC 12.
#include "llm/http/event_loop.hpp"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <fmt/format.h>

#include <csignal>
#include <map>
#include <thread>
#include <utility>

namespace brewery {

namespace asio = boost::asio;
using boost::system::error_code;
using std::chrono::milliseconds;

namespace {

constexpr milliseconds names_known_for{60'000};

/// The known addresses of a name, or the callbacks that wait for them.
struct name_entry {
  event_loop::addresses found;
  event_loop::milliseconds until{0};
  std::vector<std::function<void(const result<event_loop::addresses>&)>>
      waiting;
};

} // namespace

// Members are destroyed from the last: the thread has ended by then, and the
// context destroys pending operations.
struct event_loop::state {
  asio::io_context context{1};
  asio::executor_work_guard<asio::io_context::executor_type> guard{
      context.get_executor()};
  asio::ip::tcp::resolver resolver{context};
  std::map<timer, asio::steady_timer> timers;
  timer last_timer = 0;
  std::map<std::string, name_entry> names;
  std::thread thread;
};

event_loop::event_loop() : state_(std::make_unique<state>()) {
  // Other threads handle signals.
  sigset_t all;
  sigset_t before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  state_->thread = std::thread{[this] { state_->context.run(); }};
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

event_loop::~event_loop() {
  stop();
}

void event_loop::stop() {
  if (!state_->thread.joinable()) return;
  BREWERY_ASSERT(!is_here());
  state_->context.stop();
  state_->thread.join();
}

void event_loop::post(task work) {
  asio::post(state_->context, std::move(work));
}

bool event_loop::is_here() const {
  return state_->thread.get_id() == std::this_thread::get_id();
}

event_loop::milliseconds event_loop::now() {
  return std::chrono::duration_cast<milliseconds>(
      std::chrono::steady_clock::now().time_since_epoch());
}

event_loop::timer event_loop::after(milliseconds wait, task work) {
  const auto id = ++state_->last_timer;
  auto& made =
      state_->timers.emplace(id, asio::steady_timer{state_->context, wait})
          .first->second;
  made.async_wait([this, id, work = std::move(work)](const error_code& failed) {
    if (failed || state_->timers.erase(id) == 0) return;
    work();
  });
  return id;
}

void event_loop::forget(timer which) {
  state_->timers.erase(which);
}

void event_loop::resolve(const std::string& host,
                         std::function<void(const result<addresses>&)> done) {
  error_code no_address;
  asio::ip::make_address(host, no_address);
  if (!no_address) return done(addresses{host});
  auto& entry = state_->names[host];
  if (now() < entry.until) return done(entry.found);
  entry.waiting.push_back(std::move(done));
  if (entry.waiting.size() > 1) return;
  state_->resolver.async_resolve(
      host, "", [this, host](const error_code& failed, const auto& found) {
        auto& known = state_->names[host];
        result<addresses> out = addresses{};
        if (failed)
          out = error{ec::io, fmt::format("cannot find the address of '{}': {}",
                                          host, failed.message())};
        for (const auto& one : found)
          out->push_back(one.endpoint().address().to_string());
        if (out) known.found = *out;
        if (out) known.until = now() + names_known_for;
        for (const auto& tell : std::exchange(known.waiting, {}))
          tell(out);
      });
}

void event_loop::forget_addresses(const std::string& host) {
  if (const auto found = state_->names.find(host); found != state_->names.end())
    found->second.until = milliseconds{0};
}

asio::io_context& event_loop::context() {
  return state_->context;
}

} // namespace brewery
