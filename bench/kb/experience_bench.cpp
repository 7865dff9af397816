/// Retrieval of experiences: time of a hybrid query for 3 on one thread, with
/// its vector given, and recall at 10 against scoring every entry. Entries are
/// synthetic: 12 words of a skewed vocabulary, vectors of 256 numbers around
/// 200 centres. Run: build/release/bench/experience_bench [ENTRIES...]

#include "base/rng.hpp"
#include "kb/experience/experience_index.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <set>
#include <string>
#include <vector>

using namespace brewery;

namespace {

constexpr std::size_t dimensions = 256, centres = 200, queries = 1000;

std::vector<double> near_centre(std::uint64_t centre, rng& draw) {
  rng fixed{rng_key(5, centre)};
  std::vector<double> out(dimensions);
  double sum = 0;
  for (auto& one : out) {
    one = fixed.uniform() - 0.5 + 0.6 * (draw.uniform() - 0.5);
    sum += one * one;
  }
  for (auto& one : out)
    one /= std::sqrt(sum);
  return out;
}

/// Words of a topic, and words of all.
std::string text_near(std::uint64_t centre, rng& draw) {
  std::string out;
  for (int i = 0; i < 12; ++i) {
    const double skew = draw.uniform() * draw.uniform();
    const auto word = i % 2 == 0 ? 100'000 + centre * 50 + draw.below(50)
                                 : static_cast<std::uint64_t>(20'000 * skew);
    out += "w" + std::to_string(word) + " ";
  }
  return out;
}

indexed_experience drawn_entry(std::size_t number, rng& draw) {
  const auto centre = draw.below(centres);
  indexed_experience out;
  out.id = fmt::format("{:016x}", rng_key(3, number));
  out.text = text_near(centre, draw);
  out.facets[0] = near_centre(centre, draw);
  out.domain = "desk";
  out.quality = 0.5 + 0.5 * draw.uniform();
  return out;
}

void measure(std::size_t count) {
  rng draw{7};
  std::vector<indexed_experience> entries;
  entries.reserve(count);
  for (std::size_t i = 0; i < count; ++i)
    entries.push_back(drawn_entry(i, draw));
  experience_index_options options;
  const auto exact =
      count <= 100'000
          ? std::optional{*experience_index::make(entries,
                                                  [&] {
                                                    auto all = options;
                                                    all.exact_below = count;
                                                    return all;
                                                  }())}
          : std::nullopt;
  options.exact_below = std::min<std::size_t>(count, 2000);
  const auto began = std::chrono::steady_clock::now();
  const auto index = experience_index::make(std::move(entries), options);
  using seconds = std::chrono::duration<double>;
  const double built =
      seconds(std::chrono::steady_clock::now() - began).count();
  std::vector<double> times;
  std::size_t found = 0, wanted = 0;
  for (std::size_t i = 0; i < queries; ++i) {
    const auto centre = draw.below(centres);
    experience_query query{text_near(centre, draw), {}, "desk", {}};
    query.facets[0] = near_centre(centre, draw);
    const auto from = std::chrono::steady_clock::now();
    const auto hits = index->search(query, 3);
    times.push_back(1e3
                    * seconds(std::chrono::steady_clock::now() - from).count());
    if (!exact || i % 10 != 0) continue;
    std::set<std::size_t> best;
    for (const auto& hit : exact->search(query, 10))
      best.insert(hit.entry);
    wanted += best.size();
    for (const auto& hit : index->search(query, 10))
      found += best.count(hit.entry);
  }
  std::ranges::sort(times);
  fmt::print(
      "{:>9} entries: built in {:.1f} s, query p50 {:.3f} ms, p99 {:.3f} "
      "ms{}\n",
      count, built, times[queries / 2], times[queries * 99 / 100],
      wanted == 0 ? std::string{}
                  : fmt::format(", recall@10 {:.3f}",
                                static_cast<double>(found)
                                    / static_cast<double>(wanted)));
}

} // namespace

int main(int count, char** words) {
  std::vector<std::size_t> sizes;
  for (int i = 1; i < count; ++i)
    sizes.push_back(std::stoul(words[i]));
  if (sizes.empty()) sizes = {1000, 10'000};
  for (const auto size : sizes)
    measure(size);
}
