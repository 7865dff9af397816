/// Dense and fused retrieval: time and memory to build an index, time of a
/// query on one thread, and recall against an exact search in floating point.
/// Vectors are synthetic: 384 numbers, 200 clusters of 32 directions of their
/// own, and noise; for fused retrieval each document has a text as well. Run:
/// build/release/bench/dense_bench [DOCUMENTS...], e.g. 1000000, which takes
/// minutes.

#include "base/rng.hpp"
#include "kb/bm25.hpp"
#include "kb/dense/dense_index.hpp"
#include "kb/fusion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <ctime>
#include <fstream>
#include <malloc.h>
#include <numeric>
#include <set>
#include <string>
#include <thread>

using namespace brewery;

namespace {

constexpr std::size_t dimensions = 384, clusters = 200, intrinsic = 32;
constexpr std::size_t wanted = 10, query_count = 200;
using place = std::vector<float>;

double now_s() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

/// Of this thread alone, or of all threads: other programs on the machine do
/// not count.
double cpu_s(clockid_t of = CLOCK_THREAD_CPUTIME_ID) {
  timespec at{};
  clock_gettime(of, &at);
  return static_cast<double>(at.tv_sec)
         + static_cast<double>(at.tv_nsec) * 1e-9;
}

/// Most memory that the process has had and what it has now, in megabytes,
/// without what was freed.
std::pair<double, double> memory_mb() {
  malloc_trim(0);
  std::ifstream file{"/proc/self/status"};
  std::string line;
  std::pair<double, double> out;
  while (std::getline(file, line)) {
    if (line.starts_with("VmHWM:")) out.first = std::stod(line.substr(6)) / 1e3;
    if (line.starts_with("VmRSS:"))
      out.second = std::stod(line.substr(6)) / 1e3;
  }
  return out;
}

void forget_peak() {
  std::ofstream{"/proc/self/clear_refs"} << 5;
}

/// Sums of a few uniform draws: near enough to a normal one.
float normal(rng& draw) {
  double sum = 0;
  for (int i = 0; i < 4; ++i)
    sum += draw.uniform() - 0.5;
  return static_cast<float>(sum * std::sqrt(3.0));
}

class space {
public:
  space() : draw_(rng_key(11, "space")) {
    const auto fill = [&](std::size_t rows) {
      std::vector<float> out(rows * dimensions);
      for (auto& x : out)
        x = normal(draw_);
      return out;
    };
    centres_ = fill(clusters);
    directions_ = fill(clusters * intrinsic);
  }

  /// The place of a number; equal numbers have equal places.
  void write(std::uint64_t seed, std::uint64_t number, place& out) const {
    constexpr float spread = 0.25F, noise = 0.15F;
    rng draw{rng_key(seed, number)};
    const auto cluster = draw.below(clusters);
    out.assign(dimensions, 0);
    for (std::size_t d = 0; d < dimensions; ++d)
      out[d] = centres_[cluster * dimensions + d] + noise * normal(draw);
    for (std::size_t i = 0; i < intrinsic; ++i) {
      const auto row = (cluster * intrinsic + i) * dimensions;
      const float share = spread * normal(draw);
      for (std::size_t d = 0; d < dimensions; ++d)
        out[d] += share * directions_[row + d];
    }
    float square = 0;
    for (const float x : out)
      square += x * x;
    for (float& x : out)
      x /= std::sqrt(square);
  }

private:
  rng draw_;
  std::vector<float> centres_, directions_;
};

float product(const place& a, const place& b) {
  std::array<float, 16> lanes{};
  for (std::size_t i = 0; i < dimensions; i += lanes.size())
    for (std::size_t l = 0; l < lanes.size(); ++l)
      lanes[l] += a[i + l] * b[i + l];
  return std::accumulate(lanes.begin(), lanes.end(), 0.0F);
}

/// The words of a cluster and of all, as a text.
std::string text_of(std::uint64_t seed, std::uint64_t number,
                    std::size_t words) {
  rng draw{rng_key(seed, number)};
  const auto cluster = draw.below(clusters);
  rng writes{rng_key(seed + 1, number)};
  std::string out;
  for (std::size_t i = 0; i < words; ++i) {
    // Few words are frequent and many rare.
    const double u = writes.uniform();
    const auto rank = static_cast<std::uint64_t>(50'000 * u * u * u);
    out += i % 3 == 0 ? fmt::format("c{}x{} ", cluster, rank % 300)
                      : fmt::format("w{} ", rank);
  }
  return out;
}

struct exact_answers {
  std::vector<place> queries;
  std::vector<std::vector<std::pair<float, std::size_t>>> best;

  explicit exact_answers(const space& from) : best(query_count) {
    place query;
    for (std::size_t i = 0; i < query_count; ++i) {
      from.write(2, i, query);
      queries.push_back(query);
    }
  }
  void offer(const place& document, std::size_t index) {
    for (std::size_t q = 0; q < queries.size(); ++q) {
      auto& heap = best[q];
      const std::pair item{-product(queries[q], document), index};
      if (heap.size() == wanted && !(item < heap.front())) continue;
      heap.push_back(item);
      std::ranges::push_heap(heap);
      if (heap.size() <= wanted) continue;
      std::ranges::pop_heap(heap);
      heap.pop_back();
    }
  }
};

/// In milliseconds of this thread, and the 99th percentile by the clock.
struct query_times {
  double p50 = 0, p99 = 0, by_clock = 0;
};

query_times times_of(const retriever& index,
                     const std::vector<retrieval_query>& queries) {
  std::vector<double> times, by_clock;
  for (int round = 0; round < 6; ++round)
    for (const auto& query : queries) {
      const double begin = now_s(), cpu_begin = cpu_s();
      const auto found = index.search(query, wanted);
      if (round == 0) continue; // to warm up
      times.push_back((cpu_s() - cpu_begin) * 1e3);
      by_clock.push_back((now_s() - begin) * 1e3);
    }
  std::ranges::sort(times);
  std::ranges::sort(by_clock);
  return {times[times.size() / 2], times[times.size() * 99 / 100],
          by_clock[by_clock.size() * 99 / 100]};
}

void run_all(const std::vector<std::function<void()>>& parts) {
  std::vector<std::jthread> threads;
  for (const auto& part : parts)
    threads.emplace_back(part);
}

void report(const space& from, std::size_t documents) {
  exact_answers exact{from};
  place document;
  std::vector<double> wide(dimensions);
  forget_peak();
  const double before_mb = memory_mb().second;
  double coding_s = 0;
  vector_codes codes{dimensions, documents};
  for (std::size_t i = 0; i < documents; ++i) {
    from.write(1, i, document);
    exact.offer(document, i);
    std::ranges::copy(document, wide.begin());
    const double begin = now_s();
    (void)codes.add(wide);
    coding_s += now_s() - begin;
  }
  const double begin = now_s(), cpu_begin = cpu_s(CLOCK_PROCESS_CPUTIME_ID);
  const auto dense = std::make_shared<const dense_index>(
      std::move(codes), dense_options{}, run_all);
  const double built_s = now_s() - begin + coding_s;
  const double busy_s = cpu_s(CLOCK_PROCESS_CPUTIME_ID) - cpu_begin + coding_s;
  const auto [peak_mb, now_mb] = memory_mb();

  std::vector<std::vector<double>> vectors;
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < query_count; ++i) {
    vectors.emplace_back(exact.queries[i].begin(), exact.queries[i].end());
    texts.push_back(text_of(2, i, 4));
  }
  std::vector<retrieval_query> queries;
  for (std::size_t i = 0; i < query_count; ++i)
    queries.emplace_back(std::string_view{texts[i]}, vectors[i]);

  std::size_t hits = 0;
  for (std::size_t q = 0; q < query_count; ++q) {
    std::set<std::size_t> right;
    for (const auto& item : exact.best[q])
      right.insert(item.second);
    for (const auto& item : dense->search(queries[q], wanted))
      hits += right.count(item.index);
  }
  const auto alone = times_of(*dense, queries);
  fmt::print("{:>9} documents, dense:  build {:.1f} s ({:.1f} s of "
             "processors), {:.0f} MB (peak {:.0f} MB), p50 {:.3f} ms, p99 "
             "{:.3f} ms (by the clock {:.3f}), "
             "recall@{} {:.4f}\n",
             documents, built_s, busy_s, now_mb - before_mb,
             peak_mb - before_mb, alone.p50, alone.p99, alone.by_clock, wanted,
             static_cast<double>(hits)
                 / static_cast<double>(wanted * query_count));
  std::fflush(stdout);

  forget_peak();
  // As they come; texts are not kept, for no index needs them.
  const double words_begin = cpu_s();
  bm25_builder reads;
  constexpr std::size_t document_words = 60;
  for (std::size_t i = 0; i < documents; ++i)
    reads.add(text_of(1, i, document_words));
  const std::shared_ptr<const retriever> words =
      std::make_shared<const bm25_index>(reads.finish());
  const double words_s = cpu_s() - words_begin;
  const auto [all_peak_mb, all_mb] = memory_mb();
  const fused_retriever fused{words, dense, {}};
  const auto by_words = times_of(*words, queries);
  const auto both = times_of(fused, queries);
  fmt::print("{:>9} documents, hybrid: BM25 build {:.1f} s of a "
             "processor, all {:.0f} MB (peak {:.0f} MB), BM25 p50 {:.3f} ms, "
             "p99 {:.3f} ms, both p50 {:.3f} ms, p99 "
             "{:.3f} ms (by the clock {:.3f})\n",
             documents, words_s, all_mb - before_mb, all_peak_mb - before_mb,
             by_words.p50, by_words.p99, both.p50, both.p99, both.by_clock);
  std::fflush(stdout);
}

} // namespace

int main(int argc, char** argv) {
  std::vector<std::size_t> sizes{10'000, 99'999, 100'000};
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (!words.empty()) sizes.clear();
  for (const auto& word : words)
    sizes.push_back(std::stoul(word));
  const space from;
  for (const auto documents : sizes)
    report(from, documents);
  return 0;
}
