#include "envs/osworld/grading/python/sequence_matcher.hpp"

#include <unordered_map>

namespace brewery::osworld {

namespace {

struct matching_block {
  std::size_t a = 0, b = 0, size = 0;
};

class line_matcher {
public:
  line_matcher(const std::vector<std::string>& a,
               const std::vector<std::string>& b)
      : a_(a), b_(b) {
    for (std::size_t j = 0; j < b.size(); ++j)
      places_[b[j]].push_back(j);
    // "autojunk": of a long sequence, frequent elements begin no match.
    if (b.size() < 200) return;
    const auto often = b.size() / 100 + 1;
    std::erase_if(places_, [often](const auto& entry) {
      return entry.second.size() > often;
    });
  }

  std::size_t matches() const {
    struct window {
      std::size_t a_low, a_high, b_low, b_high;
    };
    std::vector<window> queue{{0, a_.size(), 0, b_.size()}};
    std::size_t out = 0;
    while (!queue.empty()) {
      const auto at = queue.back();
      queue.pop_back();
      const auto best = longest(at.a_low, at.a_high, at.b_low, at.b_high);
      if (best.size == 0) continue;
      out += best.size;
      if (at.a_low < best.a && at.b_low < best.b)
        queue.push_back({at.a_low, best.a, at.b_low, best.b});
      if (best.a + best.size < at.a_high && best.b + best.size < at.b_high)
        queue.push_back(
            {best.a + best.size, at.a_high, best.b + best.size, at.b_high});
    }
    return out;
  }

private:
  matching_block longest(std::size_t a_low, std::size_t a_high,
                         std::size_t b_low, std::size_t b_high) const {
    matching_block best{a_low, b_low, 0};
    std::unordered_map<std::size_t, std::size_t> lengths;
    for (auto i = a_low; i < a_high; ++i) {
      std::unordered_map<std::size_t, std::size_t> next;
      if (const auto found = places_.find(a_[i]); found != places_.end())
        for (const auto j : found->second) {
          if (j < b_low) continue;
          if (j >= b_high) break;
          const auto before = j > 0 ? lengths.find(j - 1) : lengths.end();
          const auto size = (before != lengths.end() ? before->second : 0) + 1;
          next[j] = size;
          if (size > best.size) best = {i + 1 - size, j + 1 - size, size};
        }
      lengths = std::move(next);
    }
    // Popular elements extend a match that others began.
    while (best.a > a_low && best.b > b_low && a_[best.a - 1] == b_[best.b - 1])
      best = {best.a - 1, best.b - 1, best.size + 1};
    while (best.a + best.size < a_high && best.b + best.size < b_high
           && a_[best.a + best.size] == b_[best.b + best.size])
      ++best.size;
    return best;
  }

  const std::vector<std::string>& a_;
  const std::vector<std::string>& b_;
  std::unordered_map<std::string, std::vector<std::size_t>> places_;
};

} // namespace

double sequence_ratio(const std::vector<std::string>& a,
                      const std::vector<std::string>& b) {
  const auto length = a.size() + b.size();
  if (length == 0) return 1;
  return 2.0 * static_cast<double>(line_matcher{a, b}.matches())
         / static_cast<double>(length);
}

} // namespace brewery::osworld
