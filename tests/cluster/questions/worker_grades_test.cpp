#include "cluster/questions/protocol3_grades.hpp"
#include "messages/wire/codec.hpp"
#include "tests/cluster/worker_session_support.hpp"

using namespace brewery;

namespace {

const std::vector<answer_file> workbooks{{1, true, {}, "x"}};

/// A worker that runs the rollout "a" for a coordinator of this protocol.
struct grading_end : worker_end {
  explicit grading_end(std::uint32_t protocol) {
    worker_welcome hello_back;
    hello_back.hello = only<worker_hello>(session.begin(now)).sequence;
    hello_back.protocol = protocol;
    hello_back.session = ++number;
    on(hello_back);
    grant(key_of("a"));
  }
  worker_step asks() {
    return session.ask_grade({"s"}, {"a"}, {"t"}, workbooks, now);
  }
  grade_reply graded(double reward) const {
    grade_reply out;
    out.session = number;
    out.run = {"s"};
    out.job = {"a"};
    out.task = {"t"};
    out.grade.reward = reward;
    return out;
  }
};

} // namespace

TEST_CASE("a rollout's grade is asked for again until it is told, once") {
  grading_end end{protocol_newest};
  const auto ask = only<grade_ask>(end.asks());
  CHECK(ask.session == end.number);
  CHECK(ask.run == run_id{"s"});
  CHECK(ask.job == job_id{"a"});
  CHECK(ask.task == task_id{"t"});
  CHECK(ask.answers == workbooks);
  CHECK(sent<grade_ask>(end.asks()).empty()); // it is on its way
  end.on(heartbeat_reply{end.number, 1, {}});
  end.now += end.options().lease - std::chrono::milliseconds{1};
  end.on(heartbeat_reply{end.number, 2, {}});
  end.now += std::chrono::milliseconds{1};
  CHECK(sent<grade_ask>(end.tick()).size() == 1);
  const auto graded = end.on(end.graded(0.5)).grades;
  REQUIRE(graded.size() == 1);
  CHECK(graded.front().grade.reward == 0.5);
  CHECK(end.on(end.graded(0.5)).grades.empty());
}

TEST_CASE("a grade of another session or of a job that ended is not taken") {
  grading_end end{protocol_newest};
  end.asks();
  auto other = end.graded(1);
  ++other.session;
  CHECK(end.on(other).grades.empty());
  end.finish("a");
  CHECK(end.on(end.graded(1)).grades.empty());
}

TEST_CASE("a coordinator of protocol 3 is asked for grades as it understands") {
  grading_end end{3};
  const auto step = end.asks();
  CHECK(sent<grade_ask>(step).empty());
  const auto ask = only<model_ask>(step);
  CHECK(ask.session == end.number);
  CHECK(ask.number == grade_number);
  CHECK(ask.call == wire::encode(grade_job{{}, {"t"}, {}, workbooks}));
  const auto graded = end.on(as_model_reply(end.graded(0.25), {"g"}));
  CHECK(graded.replies.empty());
  REQUIRE(graded.grades.size() == 1);
  CHECK(graded.grades.front() == end.graded(0.25));
}

TEST_CASE("a grade of protocol 3 that cannot be read is an error") {
  grading_end end{3};
  end.asks();
  auto broken = as_model_reply(end.graded(1), {"g"});
  broken.answer = "\xff";
  const auto graded = end.on(broken).grades;
  REQUIRE(graded.size() == 1);
  CHECK(graded.front().code == ec::malformed);
  CHECK_FALSE(graded.front().error.empty());
}

TEST_CASE("a coordinator that knows no graders is not asked") {
  grading_end end{2};
  const auto step = end.asks();
  CHECK(step.send.empty());
  REQUIRE(step.grades.size() == 1);
  CHECK(step.grades.front().code == ec::version_mismatch);
  CHECK(step.grades.front().job == job_id{"a"});
}

TEST_CASE("grades as protocol 3 has them say the same as today's") {
  const grade_ask ask{4, {"s"}, {"a"}, {"t"}, workbooks};
  const auto back = as_grade_ask(as_model_ask(ask));
  REQUIRE(back);
  CHECK(*back == ask);
  CHECK(as_grade_ask({4, {"s"}, {"a"}, grade_number, "\xff"}).error().code
        == ec::malformed);
  grade_reply failed;
  failed.code = ec::environment;
  failed.error = "not graded";
  CHECK(as_model_reply(failed, {}).answer.empty());
  CHECK(as_grade_reply(as_model_reply(failed, {})) == failed);
}
