#include "base/rng.hpp"
#include "learners/brew/concept_places.hpp"
#include "learners/clustering.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>

using namespace brewery;

namespace {

concept_record about(std::uint32_t id, std::vector<std::string> topics) {
  concept_record out;
  out.id = {id};
  out.topics = std::move(topics);
  return out;
}

concept_places two_places() {
  concept_places out;
  out.add(about(0, {"bill"}), {0, 1});
  out.add(about(1, {"fan on", "fan off"}), {1, 0});
  return out;
}

} // namespace

TEST_CASE("a topic that a concept has is found by its name") {
  const auto places = two_places();
  CHECK(places.named("bill") == concept_id{0});
  CHECK(places.named("fan off") == concept_id{1});
  CHECK_FALSE(places.named("fan"));
}

TEST_CASE("a new topic is found by its meaning, if it is near enough") {
  const auto places = two_places();
  CHECK(places.nearest({5, 1}, 0.9) == concept_id{1});
  CHECK(places.nearest({0.1, 9}, 0.9) == concept_id{0});
  CHECK_FALSE(places.nearest({1, 1}, 0.9));
  CHECK(places.nearest({1, 1}, 0.5) == concept_id{0}); // a tie
  CHECK_FALSE(places.nearest({0, 0}, 0.5));
  CHECK_FALSE(places.nearest({1, 0, 0}, 0.5)); // of another embedder
  CHECK_FALSE(concept_places{}.nearest({1, 0}, -1));
}

TEST_CASE("rounding at the threshold does not keep a topic away") {
  // 0.1 three times is a little more than 0.3.
  const double rounded = 0.1 + 0.1 + 0.1;
  concept_places places;
  places.add(about(0, {}), {0.3, 0});
  CHECK(places.nearest({1, 0}, rounded) == concept_id{0});
  CHECK_FALSE(places.nearest({1, 0}, 0.3 + 1e-9));
}

TEST_CASE("what is no number is near to nothing") {
  const auto places = two_places();
  CHECK_FALSE(places.nearest({std::nan(""), 0}, -1));
  const double endless = std::numeric_limits<double>::infinity();
  CHECK_FALSE(places.nearest({endless, 0}, -1));
}

TEST_CASE("a new topic joins the concept that clustering would have given it") {
  const auto seed = GENERATE(range(1, 21));
  INFO("seed " << seed);
  rng draw{rng_key(static_cast<std::uint64_t>(seed), "places")};
  vector_list topics;
  for (int i = 0; i < 12; ++i) {
    topics.emplace_back();
    for (int d = 0; d < 4; ++d)
      topics.back().push_back(draw.uniform() - 0.3);
  }
  const double threshold = 0.6;
  const auto formed = cluster_by_similarity(topics, threshold);
  REQUIRE(formed);
  concept_places places;
  for (std::size_t k = 0; k < formed->size(); ++k)
    places.add(about(static_cast<std::uint32_t>(k), {}),
               centre_of(topics, (*formed)[k].members));
  std::vector<double> fresh;
  for (int d = 0; d < 4; ++d)
    fresh.push_back(draw.uniform() - 0.3);
  // The definition of average linkage.
  std::optional<concept_id> expected;
  double most = threshold;
  for (std::size_t k = 0; k < formed->size(); ++k) {
    double sum = 0;
    for (const auto member : (*formed)[k].members)
      sum += cosine(fresh, topics[member]);
    const double mean = sum / static_cast<double>((*formed)[k].members.size());
    if (mean < most) continue;
    most = mean;
    expected = concept_id{static_cast<std::uint32_t>(k)};
  }
  CHECK(places.nearest(fresh, threshold) == expected);
}
