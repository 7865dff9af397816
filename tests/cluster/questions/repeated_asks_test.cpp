#include "cluster/questions/repeated_asks.hpp"

#include <catch2/catch.hpp>

using namespace brewery;

namespace {

const run_id asking_run{"run"};
const job_id asking_job{"job"};

model_reply reply_with(const model_ask& ask) {
  model_reply out;
  out.session = ask.session;
  out.run = ask.run;
  out.job = ask.job;
  out.number = ask.number;
  return out;
}

model_ask call(const job_id& job, std::uint32_t number, std::string text) {
  return {0, asking_run, job, number, std::move(text)};
}

} // namespace

TEST_CASE("a question is sent once, and again only when its time has come") {
  repeated_asks<model_ask> asks;
  asks.add(call(asking_job, 0, "call"));
  const auto first = asks.due(7, microseconds{100}, microseconds{200});
  REQUIRE(first.size() == 1);
  CHECK(first[0].session == 7);
  CHECK(first[0].call == "call");
  CHECK(asks.due(7, microseconds{199}, microseconds{300}).empty());
  CHECK(asks.due(7, microseconds{200}, microseconds{300}).size() == 1);
}

TEST_CASE("a new session makes every open question due") {
  repeated_asks<model_ask> asks;
  asks.add(call(asking_job, 0, "a"));
  asks.add(call(asking_job, 1, "b"));
  CHECK(asks.due(1, microseconds{1}, microseconds{1000}).size() == 2);
  asks.renew();
  const auto again = asks.due(2, microseconds{2}, microseconds{1000});
  REQUIRE(again.size() == 2);
  CHECK(again[0].session == 2);
}

TEST_CASE("a reply is taken once") {
  repeated_asks<model_ask> asks;
  asks.add(call(asking_job, 0, "a"));
  const auto sent = asks.due(1, microseconds{0}, microseconds{10});
  CHECK(asks.answered(reply_with(sent.at(0))));
  CHECK_FALSE(asks.answered(reply_with(sent.at(0))));
  CHECK(asks.due(1, microseconds{100}, microseconds{200}).empty());
}

TEST_CASE("nobody asks for a job that is dropped, but for the others") {
  repeated_asks<model_ask> asks;
  asks.add(call(asking_job, 0, "a"));
  asks.add(call({"other"}, 0, "b"));
  asks.forget(asking_run, asking_job);
  const auto left = asks.due(1, microseconds{0}, microseconds{10});
  REQUIRE(left.size() == 1);
  CHECK(left[0].job.value == "other");
  CHECK(asks.size() == 1);
}

TEST_CASE("a job asks for one grade, however often it says so") {
  repeated_asks<grade_ask> asks;
  asks.add({0, asking_run, asking_job, {"task"}, {}});
  asks.add({0, asking_run, asking_job, {"task"}, {}});
  CHECK(asks.due(3, microseconds{0}, microseconds{10}).size() == 1);
  grade_reply reply;
  reply.run = asking_run;
  reply.job = {"other"};
  CHECK_FALSE(asks.answered(reply));
  reply.job = asking_job;
  CHECK(asks.answered(reply));
  CHECK(asks.size() == 0);
}
