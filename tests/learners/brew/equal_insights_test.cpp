#include "base/rng.hpp"
#include "learners/brew/equal_insights.hpp"
#include "learners/brew/near_vectors.hpp"
#include "learners/brew/told_apart.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

using namespace brewery;

namespace {

counted_insight sentence(const std::string& id, std::uint32_t count,
                         const std::string& text) {
  insight item;
  item.id = {id};
  item.sentence = text;
  counted_insight out;
  out.item = std::move(item);
  out.count = count;
  return out;
}

/// A unit vector at this angle.
std::vector<double> direction(double degrees) {
  const double angle = degrees * 3.14159265358979 / 180;
  return {std::cos(angle), std::sin(angle)};
}

} // namespace

TEST_CASE("words tell sentences apart that embeddings hardly do") {
  // Each pair has a cosine similarity of 0.75 or more with all-MiniLM-L6-v2.
  const std::vector<std::pair<std::string, std::string>> different{
      {"Airplane mode must be off before mobile data can work.",
       "Airplane mode must be on before mobile data can work."},
      {"Run a speed test after every change.",
       "Run a speed test before every change."},
      {"Roaming must be enabled on the line when the customer is abroad.",
       "Roaming must be enabled on the phone when the customer is abroad."},
      {"Turn on mobile data first.", "Turn off mobile data first."},
      {"Reseat the SIM card when its status is missing.",
       "Reseat the SIM card when its status is locked."},
      {"Refuel at most 2 GB of data.", "Refuel at most 5 GB of data."},
      {"Economy passengers have one free bag.",
       "Economy passengers have three bags free."},
      {"A delivered order can be returned.",
       "A delivered order can't be returned by the agent."},
      {"Restore the APN settings, then restart the phone.",
       "Restart the phone, then restore the APN settings."},
      {"Call `lock()` and look again.", "Look again and call `unlock()`."}};
  for (const auto& [a, b] : different) {
    INFO(a << " / " << b);
    CHECK_FALSE(may_be_equal(a, b));
    CHECK_FALSE(may_be_equal(b, a));
  }
}

TEST_CASE("other words for the same are no obstacle") {
  const std::vector<std::pair<std::string, std::string>> equal{
      {"Turn data saver off, because it makes the connection slow.",
       "Data saver slows the connection down and should be turned off."},
      {"Do not cancel a flight that has already been flown.",
       "Flights that were already flown must not be cancelled."},
      {"Refuel at most 2 GB of data.", "2 GB is the limit of a refuel."},
      {"Ask the user to restart the device.",
       "The user should be told to reboot it."}};
  for (const auto& [a, b] : equal) {
    INFO(a << " / " << b);
    CHECK(may_be_equal(a, b));
    CHECK(may_be_equal(b, a));
    CHECK(may_be_equal(a, a));
  }
}

TEST_CASE("an insight joins the nearest one with more rollouts") {
  const std::vector<counted_insight> all{
      sentence("a", 1, "Small wording."), sentence("b", 5, "Most often seen."),
      sentence("c", 2, "Something near it."), sentence("d", 3, "Far away.")};
  const insight_vectors vectors{{{"a"}, direction(12)},
                                {{"b"}, direction(0)},
                                {{"c"}, direction(20)},
                                {{"d"}, direction(90)}};
  const auto near = [&](double degrees) {
    return equal_insights(all, vectors, std::cos(degrees * 3.14159 / 180));
  };
  CHECK(near(5).empty());
  // "a" is nearer to "c" than to "b".
  CHECK(near(13) == insight_groups{{{"a"}, {"c"}}});
  CHECK(near(21) == insight_groups{{{"a"}, {"b"}}, {{"c"}, {"b"}}});
}

TEST_CASE(
    "facts are never merged, and sentences without vector only if equal") {
  auto fact = sentence("f", 2, "Same words.");
  auto item = *fact.item;
  item.fact.kind = "outcome";
  fact.item = std::move(item);
  const std::vector<counted_insight> all{fact, sentence("a", 3, "Same words."),
                                         sentence("b", 1, "Same  words."),
                                         sentence("c", 1, "Other words.")};
  const insight_vectors vectors{{{"f"}, direction(0)}, {{"a"}, direction(0)}};
  CHECK(equal_insights(all, vectors, 0.5) == insight_groups{{{"b"}, {"a"}}});
}

TEST_CASE("with a threshold of 1 only equal sentences are one") {
  const std::vector<counted_insight> all{sentence("a", 3, "This wording."),
                                         sentence("b", 2, "Another entirely."),
                                         sentence("c", 1, "This wording.")};
  const insight_vectors vectors{
      {{"a"}, direction(0)}, {{"b"}, direction(0)}, {{"c"}, direction(0)}};
  CHECK(equal_insights(all, vectors, 1) == insight_groups{{{"c"}, {"a"}}});
  CHECK(equal_insights(all, vectors, 0.99).size() == 2);
}

TEST_CASE("the order of insights does not change what is merged") {
  rng draw{rng_key(1, "merge")};
  std::vector<counted_insight> all;
  insight_vectors vectors;
  for (int i = 0; i < 40; ++i) {
    const auto id = "id" + std::to_string(i);
    all.push_back(sentence(id, static_cast<std::uint32_t>(1 + draw.below(4)),
                           "w" + std::string(1 + draw.below(30), 'x')));
    vectors.emplace(insight_id{id}, direction(360 * draw.uniform()));
  }
  const auto first = equal_insights(all, vectors, 0.95);
  CHECK(first.size() > 5);
  for (const auto& [from, to] : first)
    CHECK_FALSE(first.contains(to)); // who stands for others is no member
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    rng{seed}.shuffle(all);
    CHECK(equal_insights(all, vectors, 0.95) == first);
  }
}

TEST_CASE("a product is summed up to its end if it may reach what is asked") {
  rng draw{rng_key(1, "products")};
  const auto drawn = [&](std::size_t size, double scale) {
    std::vector<double> out(size);
    for (auto& x : out)
      x = scale * (2 * draw.uniform() - 1);
    return out;
  };
  int reached = 0;
  for (const std::size_t size : {1, 3, 63, 64, 65, 200, 3072})
    for (int i = 0; i < 200; ++i) {
      const auto a = drawn(size, 1);
      auto b = drawn(size, draw.uniform()); // from near to far
      double exact = 0;
      for (std::size_t j = 0; j < size; ++j) {
        b[j] += a[j];
        exact += a[j] * b[j];
      }
      INFO("size " << size << ", product " << exact);
      const compared_vector x{a}, y{b};
      const auto whole = x.dot_from(-1e9, y);
      CHECK(std::abs(whole - exact) < 1e-9 * static_cast<double>(size));
      CHECK(y.dot_from(-1e9, x) == whole);
      const auto least = exact + 2 * draw.uniform() - 1;
      const auto got = x.dot_from(least, y);
      if (whole >= least)
        CHECK(got == whole);
      else
        CHECK(got < least);
      reached += whole >= least;
    }
  CHECK(reached > 200);
  CHECK(reached < 1200);
}

TEST_CASE("any text can be compared") {
  const std::string bytes = "a `1-'\xc3\xa4\xff\n then not";
  rng draw{rng_key(1, "words")};
  for (int i = 0; i < 2000; ++i) {
    std::string a, b;
    for (auto* text : {&a, &b})
      for (auto n = draw.below(12); n > 0; --n)
        *text += bytes[draw.below(bytes.size())];
    CHECK(may_be_equal(a, b) == may_be_equal(b, a));
    CHECK(may_be_equal(a, a));
  }
}

TEST_CASE("evidence goes from what was made to what is shown, and back") {
  const insight_groups groups{{{"b"}, {"a"}}, {{"c"}, {"a"}}};
  const std::vector<line_evidence> made{{4, {{"b"}, {"c"}, {"x"}}}};
  CHECK(as_shown(made, groups)
        == std::vector<line_evidence>{{4, {{"a"}, {"x"}}}});
  CHECK(as_made({{4, {{"a"}, {"x"}}}}, groups)
        == std::vector<line_evidence>{{4, {{"a"}, {"b"}, {"c"}, {"x"}}}});
  CHECK(as_made(made, {}) == made);
}
