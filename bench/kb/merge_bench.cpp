/// Merging sentences of equal meaning: processor time of one call on one
/// thread, as a search makes it in each iteration. Vectors are synthetic: a
/// mean that all share, 40 subjects, and what is a sentence's own, so that two
/// sentences have a cosine of 0.35 or, of one subject, 0.75; one in ten has
/// 0.97 with another. Run: build/release/bench/merge_bench [SENTENCES...]

#include "base/rng.hpp"
#include "learners/brew/equal_insights.hpp"

#include <fmt/format.h>

#include <cmath>
#include <ctime>
#include <string>
#include <vector>

using namespace brewery;

namespace {

constexpr std::size_t dimensions = 3072, subjects = 40;
constexpr double threshold = 0.88; ///< the default

double processor_ms() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e3 * static_cast<double>(now.tv_sec)
         + 1e-6 * static_cast<double>(now.tv_nsec);
}

/// Of about unit length.
std::vector<double> drawn(rng& draw) {
  std::vector<double> out(dimensions);
  for (auto& x : out)
    x = (2 * draw.uniform() - 1) * std::sqrt(3.0 / dimensions);
  return out;
}

void measure(std::size_t count) {
  rng draw{rng_key(1, "merge")};
  const auto mean = drawn(draw);
  std::vector<std::vector<double>> subject(subjects);
  for (auto& one : subject)
    one = drawn(draw);
  std::vector<counted_insight> sentences(count);
  insight_vectors vectors;
  for (std::size_t i = 0; i < count; ++i) {
    insight item;
    item.id = {std::to_string(i)};
    // Every tenth says in other words what the one before says.
    const bool again = i % 10 == 9;
    std::string text = again ? "Seen again by " : "What has been shown by ";
    for (auto left = i + 1; left > 0; left /= 26)
      text += static_cast<char>('a' + left % 26);
    item.sentence = std::move(text);
    sentences[i].count = static_cast<std::uint32_t>(1 + draw.below(5));
    auto own = drawn(draw);
    const auto& about =
        again ? vectors.at({std::to_string(i - 1)}) : subject[i % subjects];
    for (std::size_t j = 0; j < dimensions; ++j)
      own[j] = again ? std::sqrt(0.95) * about[j] + std::sqrt(0.05) * own[j]
                     : std::sqrt(0.35) * mean[j] + std::sqrt(0.4) * about[j]
                           + std::sqrt(0.25) * own[j];
    vectors.emplace(item.id, std::move(own));
    sentences[i].item = std::move(item);
  }
  const auto began = processor_ms();
  const auto groups = equal_insights(sentences, vectors, threshold);
  fmt::print("{} sentences of {} dimensions: {:.0f} ms, {} merged\n", count,
             dimensions, processor_ms() - began, groups.size());
}

} // namespace

int main(int count, char** words) {
  std::vector<std::size_t> sizes;
  for (int i = 1; i < count; ++i)
    sizes.push_back(std::stoul(words[i]));
  if (sizes.empty()) sizes = {250, 1000};
  for (const auto size : sizes)
    measure(size);
}
