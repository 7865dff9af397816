#pragma once
/// A gateway and dealers on loopback for tests. Every wait ends: with what was
/// waited for, or with a failure that says what did not come.

#include "net/dealer.hpp"
#include "net/gateway.hpp"
#include "tests/fixtures/scratch.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace brewery::test {

inline constexpr std::chrono::seconds patience{60};

/// Keys of one cluster: a coordinator's, a worker's, an operator's.
struct key_ring {
  scratch folder;
  key_directory keys{folder.path()};

  key_ring() {
    REQUIRE(keys.create("coordinator", peer_kind::coordinator));
    REQUIRE(keys.create("w", peer_kind::worker));
  }
  curve_pair pair(const std::string& name) const {
    const auto read = read_key_file(keys.key_file(name));
    REQUIRE(read);
    return *read;
  }
};

inline std::uint16_t port_of(const std::string& address) {
  return static_cast<std::uint16_t>(
      std::stoi(address.substr(address.rfind(':') + 1)));
}

/// A gateway that remembers what came.
class port {
public:
  struct arrival {
    std::string peer, key, frame;
  };

  explicit port(const std::string& listen = "tcp://127.0.0.1:*",
                const key_ring* ring = nullptr,
                const std::string& own = "coordinator") {
    gateway_options options;
    options.listen = listen;
    options.on_plaintext = [this] {
      const std::lock_guard lock{mutex_};
      ++plaintext_;
      changed_.notify_all();
    };
    if (ring) {
      options.keys = ring->pair(own);
      options.key_directory = ring->folder.path();
    }
    auto started = gateway::start(
        options,
        {[this](const peer_name& peer, std::string_view key,
                std::string frame) {
           const std::lock_guard lock{mutex_};
           frames_.push_back({peer, std::string{key}, std::move(frame)});
           changed_.notify_all();
         },
         [this](const peer_name& peer) {
           const std::lock_guard lock{mutex_};
           gone_.push_back(peer);
           changed_.notify_all();
         },
         [this](std::string_view key) {
           const std::lock_guard lock{mutex_};
           refused_.emplace_back(key);
         },
         [this](std::string_view) { ++unjudged_; },
         {},
         {}});
    if (!started) FAIL(to_string(started.error()));
    gateway_ = std::move(*started);
  }

  std::string address() const { return gateway_->endpoint(); }
  gateway& out() { return *gateway_; }
  void send(const std::string& peer, std::string frame) {
    gateway_->send(peer, std::make_shared<const std::string>(std::move(frame)));
  }

  /// The next frame that came.
  arrival next() {
    std::unique_lock lock{mutex_};
    if (!changed_.wait_for(lock, patience, [&] { return !frames_.empty(); }))
      FAIL("no frame came");
    auto first = std::move(frames_.front());
    frames_.pop_front();
    return first;
  }
  bool has_frame() {
    const std::lock_guard lock{mutex_};
    return !frames_.empty();
  }
  bool is_told_gone(const std::string& peer) {
    std::unique_lock lock{mutex_};
    return changed_.wait_for(lock, patience, [&] {
      return std::find(gone_.begin(), gone_.end(), peer) != gone_.end();
    });
  }
  std::size_t times_gone() {
    const std::lock_guard lock{mutex_};
    return gone_.size();
  }

  std::vector<std::string> refused_keys() {
    const std::lock_guard lock{mutex_};
    return refused_;
  }

  int times_unjudged() const { return unjudged_; }
  bool is_told_of_plaintext() {
    std::unique_lock lock{mutex_};
    return changed_.wait_for(lock, patience, [&] { return plaintext_ > 0; });
  }
  int times_plaintext() {
    const std::lock_guard lock{mutex_};
    return plaintext_;
  }

private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::string> refused_;
  std::atomic<int> unjudged_{0};
  int plaintext_ = 0;
  std::deque<arrival> frames_;
  std::deque<std::string> gone_;
  std::unique_ptr<gateway> gateway_; ///< last: its calls use the rest
};

inline std::unique_ptr<dealer> connect(dealer_options options) {
  auto opened = dealer::open(options);
  if (!opened) FAIL(to_string(opened.error()));
  return std::move(*opened);
}

inline std::unique_ptr<dealer> connect(const std::string& address,
                                       const std::string& name) {
  return connect({address, name, {}, {}});
}

inline dealer_options options_of(const std::string& address,
                                 const std::string& name, const curve_pair& own,
                                 const std::filesystem::path& server) {
  return {address, name, {own}, server};
}

/// Until `holds`, while the dealer does its work.
inline bool wait_until(dealer& wire, const std::function<bool()>& holds,
                       std::chrono::milliseconds limit = patience) {
  const auto end = std::chrono::steady_clock::now() + limit;
  while (!holds()) {
    if (std::chrono::steady_clock::now() >= end) return false;
    wire.wait(std::chrono::milliseconds{5});
  }
  return true;
}

/// Until there is a connection that takes it.
inline void send(dealer& wire, const std::string& frame) {
  if (!wait_until(wire, [&] { return wire.send(frame); }))
    FAIL("no connection for " << frame);
}

inline std::string receive(dealer& wire) {
  std::optional<std::string> got;
  if (!wait_until(wire, [&] {
        got = wire.receive();
        return got.has_value();
      }))
    FAIL("nothing was received");
  return *got;
}

} // namespace brewery::test
