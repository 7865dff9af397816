#include "cluster/model_asks.hpp"

#include <catch2/catch.hpp>

using namespace brewery;

namespace {

const search_id run{"run"};
const job_id work{"job"};

model_reply reply_to(const model_ask& ask) {
  model_reply out;
  out.session = ask.session;
  out.search = ask.search;
  out.job = ask.job;
  out.number = ask.number;
  return out;
}

} // namespace

TEST_CASE("a question is sent once, and again only when its time has come") {
  model_asks asks;
  asks.add(run, work, 0, "call");
  const auto first = asks.due(7, instant{100}, instant{200});
  REQUIRE(first.size() == 1);
  CHECK(first[0].session == 7);
  CHECK(first[0].call == "call");
  CHECK(asks.due(7, instant{199}, instant{300}).empty());
  CHECK(asks.due(7, instant{200}, instant{300}).size() == 1);
}

TEST_CASE("a new session makes every open question due") {
  model_asks asks;
  asks.add(run, work, 0, "a");
  asks.add(run, work, 1, "b");
  CHECK(asks.due(1, instant{1}, instant{1000}).size() == 2);
  asks.renew();
  const auto again = asks.due(2, instant{2}, instant{1000});
  REQUIRE(again.size() == 2);
  CHECK(again[0].session == 2);
}

TEST_CASE("a reply is taken once") {
  model_asks asks;
  asks.add(run, work, 0, "a");
  const auto sent = asks.due(1, instant{0}, instant{10});
  CHECK(asks.answered(reply_to(sent.at(0))));
  CHECK_FALSE(asks.answered(reply_to(sent.at(0))));
  CHECK(asks.due(1, instant{100}, instant{200}).empty());
}

TEST_CASE("nobody asks for a job that is dropped, but for the others") {
  model_asks asks;
  asks.add(run, work, 0, "a");
  asks.add(run, {"other"}, 0, "b");
  asks.forget(run, work);
  const auto left = asks.due(1, instant{0}, instant{10});
  REQUIRE(left.size() == 1);
  CHECK(left[0].job.value == "other");
  CHECK(asks.size() == 1);
}
