#pragma once
/// Predicts how long jobs take, from the jobs that ended: an exponentially
/// weighted mean per kind and key (e.g. rollouts of task7). For a new key it
/// uses the mean of the kind. Owned by the job table. PURE.

#include "cluster/options.hpp"
#include "messages/job_msgs.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <unordered_map>

namespace brewery {

/// An exponentially weighted mean.
class duration_mean {
public:
  void add(microseconds spent) {
    const auto us = static_cast<double>(spent.count());
    value_us_ = empty_ ? us : value_us_ + weight_of_new * (us - value_us_);
    empty_ = false;
  }
  /// Never zero. Empty before the first one.
  [[nodiscard]] std::optional<microseconds> value() const {
    if (empty_) return std::nullopt;
    return std::max(microseconds{1},
                    microseconds{static_cast<std::int64_t>(value_us_)});
  }

private:
  static constexpr double weight_of_new = 0.3;
  double value_us_ = 0;
  bool empty_ = true;
};

class duration_estimator {
public:
  void learn(job_kind kind, const std::string& key, microseconds spent) {
    auto& known = of(kind);
    known.by_key[key].add(spent);
    known.all.add(spent);
  }

  /// Never zero. Empty before the first job of the kind has ended.
  [[nodiscard]] std::optional<microseconds>
  expect(job_kind kind, const std::string& key) const {
    const auto& known = of(kind);
    if (const auto it = known.by_key.find(key); it != known.by_key.end())
      return it->second.value();
    return known.all.value();
  }

  /// Of the key itself; empty before such a job has ended.
  [[nodiscard]] std::optional<microseconds>
  known(job_kind kind, const std::string& key) const {
    const auto& by_key = of(kind).by_key;
    const auto it = by_key.find(key);
    return it == by_key.end() ? std::nullopt : it->second.value();
  }

  [[nodiscard]] microseconds predict(job_kind kind,
                                     const std::string& key) const {
    return expect(kind, key).value_or(unknown);
  }

private:
  static constexpr microseconds unknown{1'000'000};
  struct kind_averages {
    std::unordered_map<std::string, duration_mean> by_key;
    duration_mean all;
  };
  kind_averages& of(job_kind kind) {
    return kinds_[static_cast<std::size_t>(kind)];
  }
  [[nodiscard]] const kind_averages& of(job_kind kind) const {
    return kinds_[static_cast<std::size_t>(kind)];
  }
  std::array<kind_averages, job_kind_count> kinds_;
};

} // namespace brewery
