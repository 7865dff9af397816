#include "messages/wire/codec.hpp"
#include "workers/coordinator_rpc.hpp"

#include <catch2/catch.hpp>

#include <atomic>
#include <future>

using namespace brewery;

namespace {

/// A job's thread that asks, and the network thread's part by hand.
struct line_bench {
  coordinator_rpc line;
  std::atomic<int> woken{0};
  std::atomic<bool> cancelled{false};

  line_bench() {
    line.open([this] { ++woken; });
  }
  ~line_bench() { line.close(); }

  template <class Question>
  std::future<decltype(std::declval<Question>()())> in_a_job(Question asks) {
    auto out = std::async(std::launch::async, std::move(asks));
    while (woken == 0)
      std::this_thread::yield();
    woken = 0;
    return out;
  }
  auto asks_model() {
    return in_a_job([this] {
      return line.ask({{"a"}, 2, "agent", chat_request{}}, {&cancelled, {"s"}});
    });
  }
  auto asks_grade() {
    return in_a_job([this] {
      return line.grade({"a"}, {"t"}, {{1, true, {}, "x"}},
                        {&cancelled, {"s"}});
    });
  }
};

model_reply says(const std::string& text, std::uint32_t number = 2) {
  chat_reply said;
  said.content = text;
  model_reply out;
  out.run = {"s"};
  out.job = {"a"};
  out.number = number;
  out.answer = wire::encode(model_answer{said});
  return out;
}

grade_reply graded(const std::string& task) {
  grade_reply out;
  out.run = {"s"};
  out.job = {"a"};
  out.task = {task};
  out.grade.reward = 1;
  return out;
}

} // namespace

TEST_CASE("a call of a job is answered by the reply of its number") {
  line_bench b;
  auto answer = b.asks_model();
  const auto asked = b.line.take_calls();
  REQUIRE(asked.size() == 1);
  CHECK(asked.front().job == job_id{"a"});
  CHECK(wire::decode<model_call>(asked.front().call)->number == 2);
  CHECK(b.line.take_calls().empty());
  CHECK(b.line.take_grades().empty());
  b.line.answer(says("of another call", 1));
  b.line.answer(graded("t"));
  b.line.answer(says("hello"));
  const auto got = answer.get();
  REQUIRE(got);
  CHECK(std::get<chat_reply>(got->reply).content == "hello");
}

TEST_CASE("equal jobs of two runs are answered each by its own run") {
  line_bench b;
  auto answer = b.asks_model();
  CHECK(b.line.take_calls().front().run == run_id{"s"});
  auto other = says("to another run");
  other.run = {"t"};
  b.line.answer(other);
  b.line.answer(says("to this one"));
  CHECK(std::get<chat_reply>(answer.get()->reply).content == "to this one");
  auto grade = b.asks_grade();
  CHECK(b.line.take_grades().front().run == run_id{"s"});
  auto bad = graded("t");
  bad.run = {"t"};
  bad.code = ec::cancelled;
  b.line.answer(bad);
  b.line.answer(graded("t"));
  CHECK(grade.get()->reward == 1);
}

TEST_CASE("a rollout's grade is that of its own task") {
  line_bench b;
  auto grade = b.asks_grade();
  const auto asked = b.line.take_grades();
  REQUIRE(asked.size() == 1);
  CHECK(asked.front().task == task_id{"t"});
  CHECK(asked.front().answers.front().content == "x");
  b.line.answer(graded("t"));
  CHECK(grade.get()->reward == 1);
  grade = b.asks_grade();
  b.line.answer(graded("u"));
  CHECK(grade.get().error().code == ec::malformed);
}

TEST_CASE("an error of the coordinator is the job's answer") {
  line_bench b;
  auto grade = b.asks_grade();
  auto failed = graded("t");
  failed.code = ec::environment;
  failed.error = "not graded";
  b.line.answer(failed);
  const auto got = grade.get();
  REQUIRE_FALSE(got);
  CHECK(got.error().code == ec::environment);
  CHECK(got.error().message == "not graded");
}

TEST_CASE("who waits is cancelled with its job and when the worker stops") {
  line_bench b;
  auto first = b.asks_model();
  b.cancelled = true;
  CHECK(first.get().error().code == ec::cancelled);
  b.cancelled = false;
  auto second = b.asks_grade();
  b.line.close();
  CHECK(second.get().error().code == ec::cancelled);
  CHECK(b.line.ask({{"a"}, 3, "agent", chat_request{}}, nullptr).error().code
        == ec::cancelled);
}

TEST_CASE(
    "answers that do not fit a message are refused before they are sent") {
  coordinator_rpc line;
  const std::string large(wire::max_message_bytes, 'x');
  const auto got = line.grade({"a"}, {"t"}, {{1, true, {}, large}}, nullptr);
  REQUIRE_FALSE(got);
  CHECK(got.error().code == ec::context_too_long);
  CHECK(line.take_grades().empty());
}
