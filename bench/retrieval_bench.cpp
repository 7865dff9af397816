/// BM25: time to build an index and to answer a query, for a knowledge base of
/// usual size and for a large one. Texts are synthetic: a Zipf vocabulary with
/// inflected words and identifiers. One thread. Run:
/// build/release/bench/retrieval_bench

#include "base/rng.hpp"
#include "kb/bm25.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

using namespace brewery;

namespace {

double now_us() {
  return std::chrono::duration<double, std::micro>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

/// The word of a rank: pronounceable; every third one is inflected, every fifth
/// an identifier of two parts.
std::string word(std::uint64_t rank) {
  std::uint64_t bits = mix64(rank + 1);
  std::string out;
  for (std::uint64_t i = 0, n = 2 + bits % 3; i < n; ++i) {
    bits = mix64(bits + 1);
    out += "bcdfghlmnprst"[bits % 13];
    out += "aeiou"[(bits >> 8) % 5];
  }
  if (rank % 5 == 4) out += "_status";
  if (rank % 3 == 2) out += "ing";
  return out;
}

class writer {
public:
  writer(std::uint64_t seed, std::size_t vocabulary) : draw_(seed) {
    double sum = 0;
    for (std::size_t i = 0; i < vocabulary; ++i) {
      words_.push_back(word(i));
      cumulated_.push_back(sum +=
                           1 / std::pow(static_cast<double>(i) + 2.7, 1.05));
    }
    for (auto& x : cumulated_)
      x /= sum;
  }

  std::string text(std::size_t words) {
    std::string out;
    for (std::size_t i = 0; i < words; ++i) {
      const auto it = std::lower_bound(cumulated_.begin(), cumulated_.end(),
                                       draw_.uniform());
      out += words_[static_cast<std::size_t>(it - cumulated_.begin())
                    % words_.size()];
      out += i % 12 == 11 ? ". " : " ";
    }
    return out;
  }

private:
  rng draw_;
  std::vector<std::string> words_;
  std::vector<double> cumulated_;
};

void report(std::size_t documents, std::size_t vocabulary,
            std::size_t document_words, std::size_t query_words) {
  writer author{rng_key(7, documents), vocabulary};
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < documents; ++i)
    texts.push_back(author.text(document_words));
  const std::vector<std::string_view> views{texts.begin(), texts.end()};
  const double begin = now_us();
  const bm25_index index{views};
  const double built_ms = (now_us() - begin) / 1000;
  std::vector<std::string> queries;
  for (std::size_t i = 0; i < 2000; ++i)
    queries.push_back(author.text(query_words));
  std::vector<double> times;
  std::size_t hits = 0;
  for (int round = 0; round < 5; ++round)
    for (const auto& query : queries) {
      const double start = now_us();
      hits += index.search(query, 3).size();
      times.push_back(now_us() - start);
    }
  std::sort(times.begin(), times.end());
  fmt::print("{:>6} documents x {} words ({} terms): build {:.2f} ms; query of "
             "{:>2} words, top 3: p50 {:.1f} us, p99 {:.1f} us, {} hits\n",
             documents, document_words, index.terms(), built_ms, query_words,
             times[times.size() / 2], times[times.size() * 99 / 100], hits / 5);
}

} // namespace

int main() {
  for (const std::size_t query_words : {4u, 12u, 60u})
    report(20, 4000, 300, query_words);
  for (const std::size_t query_words : {4u, 12u})
    report(10000, 50000, 150, query_words);
  return 0;
}
