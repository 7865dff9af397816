#include "roles/procedural/procedural_embedder.hpp"
#include "roles/retrieval_session.hpp"
#include "tests/roles/support.hpp"

#include <cmath>

using namespace brewery;
using namespace brewery::test;

TEST_CASE("a retrieval session records each query with what came back") {
  const auto index = library_of({"# Fan\nfan off", "# Pump\npump off",
                                 "# Valve\nvalve stuck", "# Fan two\nfan fan"});
  retrieval_session retrieval{index, 2};
  CHECK_FALSE(retrieval.empty());
  const auto fan = *retrieval.retrieve("the fan", 0);
  REQUIRE(fan.size() == 2);
  CHECK(fan.front()->body == "# Fan two\nfan fan");
  const auto none = *retrieval.retrieve("zebra", 3);
  CHECK(none.empty());
  REQUIRE(retrieval.retrieve("valve", 4));
  const auto records = retrieval.take_records();
  REQUIRE(records.size() == 3);
  CHECK(records[0].step == 0);
  CHECK(records[0].query == "the fan");
  REQUIRE(records[0].documents.size() == 2);
  CHECK(records[0].documents[0] == fan[0]->hash);
  CHECK(records[0].documents[1] == fan[1]->hash);
  // A query that found nothing is part of what the rollout depends on, too.
  CHECK(records[1].query == "zebra");
  CHECK(records[1].documents.empty());
  CHECK(records[2].step == 4);
}

TEST_CASE("documents that were given are all shown first, whatever is asked") {
  const auto index = library_of(
      {"# Fan\nfan off", "# Pump\npump off", "# Valve\nvalve stuck"});
  retrieval_session retrieval{index, 1, {}, true};
  const auto all = *retrieval.retrieve("zebra", 0);
  REQUIRE(all.size() == 3);
  for (std::size_t i = 0; i < all.size(); ++i)
    CHECK(all[i] == index->documents[i].get());
  const auto found = *retrieval.retrieve("valve", 2);
  REQUIRE(found.size() == 1); // then by the query
  CHECK(found.front() == all[2]);
  const auto records = retrieval.take_records();
  REQUIRE(records.size() == 2);
  CHECK(records[0].query == "zebra");
  CHECK(records[0].documents.size() == 3);
  CHECK(retrieval_session(library_of({}), 1, {}, true)
            .retrieve("zebra", 0)
            ->empty());
}

TEST_CASE("an empty retrieval answers nothing and records nothing") {
  retrieval_session retrieval{library_of({}), 3};
  CHECK(retrieval.empty());
  CHECK(retrieval.retrieve("fan", 0)->empty());
  CHECK(retrieval.take_records().empty());
}

TEST_CASE("embeddings are unit vectors of one length, near when words agree") {
  const procedural_embedder space{64};
  const auto made = *space.embed(
      {"check the fan", "fan check!", "pay an overdue bill", "", "the the fan"},
      any_job());
  REQUIRE(made.size() == 5);
  const auto dot = [&](std::size_t a, std::size_t b) {
    double sum = 0;
    for (std::size_t i = 0; i < 64; ++i)
      sum += made[a][i] * made[b][i];
    return sum;
  };
  for (const auto& vector : made)
    CHECK(vector.size() == 64);
  for (const std::size_t i : {0, 1, 2, 4})
    CHECK(std::abs(dot(i, i) - 1) < 1e-12);
  CHECK(dot(3, 3) == 0); // nothing to say about an empty text
  CHECK(dot(0, 1) > 0.7);
  CHECK(dot(0, 1) > dot(0, 2));
  CHECK(space.embed({"check the fan"}, any_job())->front() == made.front());
  CHECK(procedural_embedder{8}.embed({"fan"}, any_job())->front().size() == 8);
}
