/// Packed counts give what was put in, and let an index be made of more texts.

#include "base/rng.hpp"
#include "kb/term_counts.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <tuple>

using namespace brewery;

namespace {

using counted = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;

std::vector<counted> drained(term_counts& from) {
  std::vector<counted> out;
  from.drain([&](std::uint32_t text, std::uint32_t term, std::uint32_t times) {
    out.emplace_back(text, term, times);
  });
  return out;
}

} // namespace

TEST_CASE("counts come back in order, each once") {
  term_counts counts;
  rng draw{rng_key(3, "counts")};
  std::vector<counted> wanted;
  std::map<std::uint32_t, std::uint32_t> texts_with;
  // More than a block, with texts of nothing and texts of many terms.
  for (std::uint32_t text = 0; text < 20'000; ++text) {
    std::map<std::uint32_t, std::uint32_t> own;
    for (auto left = draw.below(120); left > 0; --left)
      own[static_cast<std::uint32_t>(draw.below(300'000))] +=
          static_cast<std::uint32_t>(1 + draw.below(2) * draw.below(200));
    std::vector<term_counts::term_id> terms;
    for (const auto& [term, times] : own) {
      terms.insert(terms.end(), times, term);
      wanted.emplace_back(text, term, times);
      ++texts_with[term];
    }
    counts.add(terms);
  }
  for (std::uint32_t term = 0; term < counts.texts_with().size(); ++term)
    if (counts.texts_with()[term] != texts_with[term])
      FAIL("term " << term << ": " << counts.texts_with()[term] << " texts");
  CHECK(drained(counts) == wanted);
  CHECK(drained(counts).empty());
}

TEST_CASE("large numbers and texts of nothing come back") {
  term_counts counts;
  const std::uint32_t large = 5'000'000, times = 40'000;
  counts.add({});
  std::vector<std::uint32_t> terms(times, large);
  terms.insert(terms.begin(), 0);
  counts.add(terms);
  CHECK(drained(counts) == std::vector<counted>{{1, 0, 1}, {1, large, times}});
}
