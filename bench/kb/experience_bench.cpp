/// Retrieval of experiences: processor time of a hybrid query for 3 on one
/// thread, with its vector given; recall at 10 against scoring every entry by
/// the formula; the most memory of the program until all queries are answered,
/// building included. Entries are synthetic: 12 words of a skewed vocabulary,
/// vectors of 256 numbers around 200 centres; they come one by one. Options are
/// the defaults. Run: build/release/bench/experience_bench [ENTRIES...]

#include "base/rng.hpp"
#include "kb/best_hits.hpp"
#include "kb/experience/experience_index.hpp"
#include "kb/experience/utility.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <set>
#include <string>
#include <sys/resource.h>
#include <vector>

using namespace brewery;

namespace {

constexpr std::size_t dimensions = 256, centres = 200, queries = 1000;
constexpr std::size_t compared = 50; ///< of the queries, with scoring all

/// Of this thread, in ms: other programs do not add to it, but for what they
/// leave of the caches.
double processor_ms() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e3 * static_cast<double>(now.tv_sec)
         + 1e-6 * static_cast<double>(now.tv_nsec);
}

double peak_gb() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  return static_cast<double>(used.ru_maxrss) * 1024 / 1e9;
}

std::vector<std::vector<double>> drawn_centres() {
  std::vector<std::vector<double>> out(centres);
  for (std::size_t i = 0; i < centres; ++i) {
    rng draw{rng_key(5, i)};
    for (std::size_t j = 0; j < dimensions; ++j)
      out[i].push_back(draw.uniform() - 0.5);
  }
  return out;
}

std::vector<double> near_centre(std::size_t centre, rng& draw) {
  static const auto all = drawn_centres();
  auto out = all[centre];
  double sum = 0;
  for (auto& one : out) {
    one += 0.6 * (draw.uniform() - 0.5);
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

indexed_experience entry_of(std::size_t number) {
  rng draw{rng_key(3, number)};
  const auto centre = draw.below(centres);
  indexed_experience out;
  out.id = fmt::format("{:016}", number);
  out.text = text_near(centre, draw);
  out.facets[0] = near_centre(centre, draw);
  out.domain = "desk";
  out.quality = 0.5 + 0.5 * draw.uniform();
  return out;
}

experience_query query_of(std::size_t number) {
  rng draw{rng_key(7, number)};
  const auto centre = draw.below(centres);
  experience_query out{text_near(centre, draw), {}, "desk", {}};
  out.facets[0] = near_centre(centre, draw);
  return out;
}

/// The places of the best 10 for each of the first queries, by the formula over
/// the words' scores and the vectors as they are.
std::vector<std::set<std::size_t>> best_of_all(std::size_t count) {
  bm25_builder builder;
  for (std::size_t i = 0; i < count; ++i)
    builder.add(with_line_words(entry_of(i).text));
  const auto words = builder.finish();
  const experience_index_options options;
  std::vector<experience_query> asked;
  std::vector<std::vector<float>> lexical;
  std::vector<double> scores;
  for (std::size_t q = 0; q < compared; ++q) {
    asked.push_back(query_of(q));
    words.all_scores(with_line_words(asked[q].text), scores);
    const double best = *std::ranges::max_element(scores);
    auto& mine = lexical.emplace_back();
    for (const double score : scores)
      mine.push_back(static_cast<float>(best > 0 ? score / best : 0));
  }
  std::vector<best_hits> found(compared, best_hits{10});
  for (std::size_t i = 0; i < count; ++i) {
    const auto entry = entry_of(i);
    for (std::size_t q = 0; q < compared; ++q) {
      const double near =
          options.weights[0] * cosine_of(entry.facets[0], asked[q].facets[0]);
      found[q].add({i, hybrid(options.alpha, lexical[q][i],
                              std::max(0.0, near) * entry.quality)});
    }
  }
  std::vector<std::set<std::size_t>> out;
  for (auto& one : found) {
    auto& places = out.emplace_back();
    for (const auto& hit : one.take())
      places.insert(hit.index);
  }
  return out;
}

void measure(std::size_t count) {
  auto began = processor_ms();
  experience_index_builder builder{{}, count};
  for (std::size_t i = 0; i < count; ++i)
    if (auto ok = builder.add(entry_of(i)); !ok)
      return fmt::print(stderr, "{}\n", ok.error().message);
  const auto index = builder.finish();
  const double built = processor_ms() - began;
  std::vector<double> times;
  for (std::size_t i = 0; i < queries; ++i) {
    const auto query = query_of(i);
    began = processor_ms();
    const auto hits = index.search(query, 3);
    times.push_back(processor_ms() - began);
  }
  std::ranges::sort(times);
  fmt::print(
      "{:>9} entries: built in {:.1f} s, query p50 {:.3f} ms, p99 {:.3f} "
      "ms, peak {:.2f} GB",
      count, built / 1e3, times[queries / 2], times[queries * 99 / 100],
      peak_gb());
  std::fflush(stdout);
  std::size_t right = 0;
  const auto wanted = best_of_all(count);
  for (std::size_t q = 0; q < compared; ++q)
    for (const auto& hit : index.search(query_of(q), 10))
      right += wanted[q].count(hit.entry);
  fmt::print(", recall@10 {:.3f}\n",
             static_cast<double>(right) / (10.0 * compared));
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
