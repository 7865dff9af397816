/// The figures of Agent KB's formulas, as they are published or follow from
/// what is.

#include "kb/experience/utility.hpp"

#include <catch2/catch.hpp>

using namespace brewery;

TEST_CASE("hybrid scores are the weighted means of both") {
  CHECK(hybrid(0.5, 0.8, 0.1) == Approx(0.45));
  CHECK(hybrid(0.5, 0.2, 0.9) == Approx(0.55));
  CHECK(hybrid(0.5, 0, 0.5) == Approx(0.25));
  CHECK(hybrid(1, 0.2, 0.9) == Approx(0.2));
  CHECK(hybrid(0, 0.2, 0.9) == Approx(0.9));
}

TEST_CASE("quality moves towards each outcome") {
  double quality = 0.5;
  for (const auto& [outcome, after] :
       {std::pair{1.0, 0.6}, {1.0, 0.68}, {0.0, 0.544}}) {
    quality = updated_quality(quality, 0.2, outcome);
    CHECK(quality == Approx(after));
  }
}

TEST_CASE("utility decays with idle episodes, and impacts stay") {
  CHECK(utility(0.8, 0.1, 10) == Approx(0.2943).margin(5e-5));
  CHECK(utility(0.8, 0.1, 10, 0.07) == Approx(0.3643).margin(5e-5));
  CHECK(utility(0.8, 0.1, 0) == Approx(0.8));
}

TEST_CASE("a domain at the scale's distance counts e^-1") {
  CHECK(domain_factor(1, 1) == Approx(0.3679).margin(5e-5));
  CHECK(domain_factor(0, 0.3) == 1);
  CHECK(domain_distance({"a", "b"}, {"b", "c"}) == Approx(2.0 / 3));
  CHECK(domain_distance({}, {}) == 0);
  CHECK(domain_distance({"a"}, {}) == 1);
}

TEST_CASE("the gate holds at exactly its threshold") {
  CHECK(passes_gate(0.8, 0.8));
  CHECK_FALSE(passes_gate(0.7999999, 0.8));
}

TEST_CASE("the cosine of what has no direction is 0") {
  const std::vector<double> a{3, 4}, none{0, 0}, longer{1, 0, 0};
  CHECK(brewery::cosine_of(a, a) == Approx(1));
  CHECK(brewery::cosine_of(a, std::vector<double>{4, -3})
        == Approx(0).margin(1e-12));
  CHECK(brewery::cosine_of(a, none) == 0);
  CHECK(brewery::cosine_of(a, longer) == 0);
}
