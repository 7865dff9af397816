#include "cluster/table/duration_estimator.hpp"

#include <catch2/catch.hpp>

using namespace brewery;
using namespace std::chrono_literals;

TEST_CASE("nothing is expected of a kind before its first job ended") {
  duration_estimator known;
  CHECK_FALSE(known.expect(job_kind::rollout, "a"));
  CHECK(known.predict(job_kind::rollout, "a") == 1s);
  known.learn(job_kind::embed, "a", 5s);
  CHECK_FALSE(known.expect(job_kind::rollout, "a"));
}

TEST_CASE("a key that is known is expected to take what it took") {
  duration_estimator known;
  known.learn(job_kind::rollout, "a", 2s);
  CHECK(known.expect(job_kind::rollout, "a") == microseconds{2s});
  known.learn(job_kind::rollout, "b", 12s);
  CHECK(known.expect(job_kind::rollout, "a") == microseconds{2s});
  CHECK(known.predict(job_kind::rollout, "b") == 12s);
}

TEST_CASE("a new key is expected to take the mean of its kind") {
  duration_estimator known;
  known.learn(job_kind::rollout, "a", 2s);
  known.learn(job_kind::rollout, "b", 12s);
  CHECK(known.expect(job_kind::rollout, "c")
        == microseconds{5s}); // 2 + 0.3 * (12 - 2)
}

TEST_CASE("of a mean three tenths are the latest duration") {
  duration_estimator known;
  known.learn(job_kind::rollout, "a", 10s);
  known.learn(job_kind::rollout, "a", 20s);
  CHECK(known.expect(job_kind::rollout, "a") == microseconds{13s});
  known.learn(job_kind::rollout, "a", 3s);
  CHECK(known.expect(job_kind::rollout, "a") == microseconds{10s});
}

TEST_CASE("no job is expected to take no time") {
  duration_estimator known;
  known.learn(job_kind::rollout, "a", 0s);
  CHECK(known.expect(job_kind::rollout, "a") == microseconds{1us});
}
