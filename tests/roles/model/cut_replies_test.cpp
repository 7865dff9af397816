#include "tests/roles/tried_roles.hpp"

using namespace brewery;
using namespace brewery::test;
using namespace brewery::test::tried;

namespace {

chat_reply cut_off(chat_reply reply, std::uint64_t tokens = 0) {
  reply.finish = chat_finish::length;
  reply.usage.completion = tokens;
  return reply;
}

const role_model brief{.model = "small", .max_tokens = 40};

} // namespace

TEST_CASE("a reply that was cut off is asked for again with four times the "
          "room") {
  for (const auto& role : every_role(brief)) {
    INFO(role.name);
    const auto half = role.good.substr(0, role.good.size() / 2);
    const auto model = replies_in_turn({cut_off(says(half)), says(role.good)});
    const auto kit = kit_of(model);
    job_context context;
    REQUIRE(role.run(kit, context));
    REQUIRE(model->calls.size() == 2);
    CHECK(model->request(0).max_tokens == 40);
    CHECK(model->request(1).max_tokens == 160);
    // The half is not sent back: it says nothing new.
    CHECK(model->request(1).messages == model->request(0).messages);
    // A call of its own, which is paid and recorded.
    CHECK(model->calls[1].number == 1);
    CHECK(kit.tally->counts()[role.name].cut == 1);
    CHECK(kit.tally->counts()[role.name].repaired == 0);
    REQUIRE(context.notes.size() == 1);
    CHECK(context.notes[0].role == role.name);
    CHECK(context.notes[0].what == reply_trouble::cut);
    CHECK(context.notes[0].reason
          == "the reply was cut at 40 tokens (" + role.name + ".max_tokens)");
  }
}

TEST_CASE("a reply that is cut off twice is named by its limits, not as JSON") {
  for (const auto& role : every_role(brief)) {
    if (role.name == "user") continue; // half a sentence is a turn
    INFO(role.name);
    const auto model =
        replies_in_turn({cut_off(says(role.good.substr(0, 20)))});
    const auto kit = kit_of(model);
    job_context context;
    const auto got = role.run(kit, context);
    REQUIRE_FALSE(got);
    CHECK(got.error().code == ec::malformed);
    CHECK(got.error().message
          == role.name + ": model 'small': the reply was cut at 40 tokens ("
                 + role.name
                 + ".max_tokens); the reply with room for 160 tokens was cut "
                   "too; raise "
                 + role.name + ".max_tokens");
    CHECK(model->calls.size() == 2);
    CHECK(kit.tally->counts()[role.name].cut == 2);
    CHECK(kit.tally->counts()[role.name].rejected == 1);
  }
}

TEST_CASE("a reply that is whole although its limit was reached is taken") {
  const auto model = replies_in_turn({cut_off(says(ratings))});
  job_context context;
  REQUIRE(llm_judge{asker_of("judge", kit_of(model), brief), rubrics}.rate(
      {the_task, steps, grade}, context));
  CHECK(model->calls.size() == 1);
}

TEST_CASE(
    "without a limit of ours the tokens that the server counted are one") {
  const auto asked = [](std::uint64_t counted) {
    const auto model = replies_in_turn({cut_off(says("{"), counted)});
    job_context context;
    const auto got = llm_judge{asker_of("judge", kit_of(model)), rubrics}.rate(
        {the_task, steps, grade}, context);
    REQUIRE_FALSE(got);
    std::vector<std::uint32_t> limits;
    for (std::size_t i = 0; i < model->calls.size(); ++i)
      limits.push_back(model->request(i).max_tokens);
    return std::pair{limits, got.error().message};
  };
  CHECK(asked(50).first == std::vector<std::uint32_t>{0, 200});
  CHECK(contains(asked(50).second,
                 "the reply was cut at 50 tokens, a limit of its server; "
                 "judge.max_tokens is not set"));
  CHECK(asked(0).first == std::vector<std::uint32_t>{0});
  CHECK(contains(asked(0).second, "the reply was cut off"));
}

TEST_CASE("a larger limit that the server refuses is said with the cut") {
  int asked = 0;
  const auto model = std::make_shared<scripted_model>(
      [&](const model_call&) -> result<model_answer> {
        if (++asked == 2)
          return error{ec::invalid_argument, "HTTP 400: at most 64"};
        return answered(cut_off(says("{")));
      });
  job_context context;
  const auto got =
      llm_judge{asker_of("judge", kit_of(model), brief), rubrics}.rate(
          {the_task, steps, grade}, context);
  REQUIRE_FALSE(got);
  CHECK(got.error().message
        == "judge: model 'small': the reply was cut at 40 tokens "
           "(judge.max_tokens); a larger limit was refused: HTTP 400: at most "
           "64");
  CHECK(got.error().code == ec::malformed);
}

TEST_CASE(
    "after a larger limit there still is a repair turn, with that limit") {
  const auto model = replies_in_turn(
      {cut_off(says("{")), says("I would rather not."), says(ratings)});
  job_context context;
  REQUIRE(llm_judge{asker_of("judge", kit_of(model), brief), rubrics}.rate(
      {the_task, steps, grade}, context));
  REQUIRE(model->calls.size() == 3);
  CHECK(model->request(2).max_tokens == 160);
  CHECK(contains(model->request(2).messages.back().content, "holds no JSON"));
}

TEST_CASE("an outage after a cut reply is the outage, not the cut") {
  int asked = 0;
  const auto model = std::make_shared<scripted_model>(
      [&](const model_call&) -> result<model_answer> {
        if (++asked == 2) return error{ec::rate_limited, "busy"};
        return answered(cut_off(says("{")));
      });
  job_context context;
  const auto got =
      llm_judge{asker_of("judge", kit_of(model), brief), rubrics}.rate(
          {the_task, steps, grade}, context);
  REQUIRE_FALSE(got);
  CHECK(got.error().code == ec::rate_limited);
  CHECK(got.error().message == "judge: busy");
}
