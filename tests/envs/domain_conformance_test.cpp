/// Holds the domains behind the port `domain` against the reference's recorded
/// answers. Telecom, which has its own environment, is in conformance_test.cpp.

#include "envs/tau2/retail_domain.hpp"
#include "tests/envs/domain_replay.hpp"
#include "tests/envs/vectors.hpp"

#include <catch2/catch.hpp>

using namespace brewery;
using namespace brewery::test;

TEST_CASE("retail gives every recorded answer of the reference again") {
  const auto data = tau2_data();
  if (data.empty()) return;
  replay_domain(data, "retail", tau2::load_retail);
}
