#pragma once
/// How long jobs take, learned from those that ended: an exponentially weighted
/// mean per key ("rollout/task7"), of the kind ("rollout") where the key is
/// new. Owned by the job table. PURE.

#include "cluster/options.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>

namespace brewery {

class paces {
public:
  void learn(const std::string& kind, const std::string& key, instant spent) {
    by_key_[kind + '/' + key].add(spent);
    by_kind_[kind].add(spent);
  }

  /// Never zero; nothing before the kind's first job ended.
  [[nodiscard]] std::optional<instant> expect(const std::string& kind,
                                              const std::string& key) const {
    if (const auto it = by_key_.find(kind + '/' + key); it != by_key_.end())
      return it->second.mean();
    if (const auto it = by_kind_.find(kind); it != by_kind_.end())
      return it->second.mean();
    return std::nullopt;
  }

  [[nodiscard]] instant predict(const std::string& kind,
                                const std::string& key) const {
    return expect(kind, key).value_or(unknown);
  }

  /// Whether `predict` rests on this very key.
  [[nodiscard]] bool knows(const std::string& kind,
                           const std::string& key) const {
    return by_key_.contains(kind + '/' + key);
  }

private:
  static constexpr instant unknown{1'000'000};
  static constexpr double weight_of_new = 0.3;

  struct average {
    double value_us = 0;
    bool empty = true;
    void add(instant spent) {
      const auto us = static_cast<double>(spent.count());
      value_us = empty ? us : value_us + weight_of_new * (us - value_us);
      empty = false;
    }
    [[nodiscard]] instant mean() const {
      return std::max(instant{1}, instant{static_cast<std::int64_t>(value_us)});
    }
  };
  std::unordered_map<std::string, average> by_key_, by_kind_;
};

} // namespace brewery
