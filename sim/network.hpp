#pragma once
/// A network between one coordinator and its workers. It loses, doubles, delays
/// and reorders frames, and can be cut in one or both directions. Node 0 is the
/// coordinator. On some seeds every frame passes the real codec.

#include "base/rng.hpp"
#include "messages/wire/frame.hpp"
#include "sim/event_queue.hpp"

#include <map>
#include <set>

namespace brewery::simulated {

using node_number = std::size_t;

struct network_faults {
  double loss = 0;
  double copies = 0; ///< probability that a frame arrives twice
  double slow = 0;   ///< probability of a delay of up to `longest`
  microseconds usual{2'000};
  microseconds longest{3'000'000};
};

class network {
public:
  using receiver =
      std::function<void(node_number from, const wire::message& message)>;

  network(event_queue& time, std::uint64_t seed, bool encode)
      : time_(time), draw_(rng_key(seed, "network")), encode_(encode) {}

  void set_faults(const network_faults& now) { faults_ = now; }
  void listen(node_number node, receiver to) { nodes_[node] = std::move(to); }
  void cut(node_number from, node_number to) { cuts_.insert({from, to}); }
  void heal(node_number from, node_number to) { cuts_.erase({from, to}); }
  /// A paused or dead node receives nothing. Frames to a paused node wait.
  void pause(node_number node) { paused_.insert(node); }
  void resume(node_number node) {
    paused_.erase(node);
    auto waiting = std::move(waiting_[node]);
    waiting_.erase(node);
    for (auto& arrival : waiting)
      time_.after(microseconds{0}, std::move(arrival));
  }
  [[nodiscard]] bool is_paused(node_number node) const {
    return paused_.contains(node);
  }

  void send(node_number from, node_number to, const wire::message& message) {
    ++sent_;
    if (cuts_.contains({from, to}) || draw_.uniform() < faults_.loss) return;
    const int copies = draw_.uniform() < faults_.copies ? 2 : 1;
    for (int i = 0; i < copies; ++i)
      time_.after(delay(), [=, this] { arrive(from, to, message); });
  }

  [[nodiscard]] std::uint64_t sent() const { return sent_; }

private:
  microseconds delay() {
    const auto span =
        draw_.uniform() < faults_.slow ? faults_.longest : faults_.usual;
    return microseconds{1
                        + static_cast<std::int64_t>(draw_.below(
                            static_cast<std::uint64_t>(span.count())))};
  }

  void arrive(node_number from, node_number to, const wire::message& message) {
    if (cuts_.contains({from, to})) return; // cut while on the way
    if (paused_.contains(to)) {
      waiting_[to].push_back([=, this] { arrive(from, to, message); });
      return;
    }
    const auto it = nodes_.find(to);
    if (it == nodes_.end()) return;
    if (!encode_) return it->second(from, message);
    const auto decoded = wire::unframe(wire::frame(message));
    BREWERY_ASSERT(decoded.has_value());
    it->second(from, *decoded);
  }

  event_queue& time_;
  rng draw_;
  bool encode_;
  network_faults faults_;
  std::map<node_number, receiver> nodes_;
  std::set<std::pair<node_number, node_number>> cuts_;
  std::set<node_number> paused_;
  std::map<node_number, std::vector<event_queue::action>> waiting_;
  std::uint64_t sent_ = 0;
};

} // namespace brewery::simulated
