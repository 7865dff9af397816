#include "base/rng.hpp"
#include "roles/model/llm_integrator.hpp"
#include "roles/model/llm_judge.hpp"
#include "roles/model/llm_reflector.hpp"
#include "roles/model/llm_reviewer.hpp"
#include "roles/model/llm_statement_judge.hpp"
#include "roles/model/llm_user.hpp"
#include "tests/roles/tried_roles.hpp"

using namespace brewery;
using namespace brewery::test;
using namespace brewery::test::tried;

TEST_CASE("every role takes a good reply at the first call") {
  for (const auto& role : every_role()) {
    INFO(role.name);
    const auto model = replies_in_turn({says(role.good)});
    const auto kit = kit_of(model);
    job_context context;
    const auto got = role.run(kit, context);
    if (!got) FAIL(got.error().message);
    CHECK(model->calls.size() == 1);
    CHECK(kit.tally->counts()[role.name] == role_counts{1, 0, 0, 0, 0});
  }
}

TEST_CASE("every role has one repair turn, told the exact error") {
  for (const auto& role : every_role()) {
    INFO(role.name);
    const auto bad = role.name == "user" ? "" : "I would rather not.";
    const auto model = replies_in_turn({says(bad), says(role.good)});
    const auto kit = kit_of(model);
    job_context context;
    REQUIRE(role.run(kit, context));
    REQUIRE(model->calls.size() == 2);
    CHECK(kit.tally->counts()[role.name] == role_counts{2, 1, 0, 0, 0});
    const auto& first = model->request(0);
    const auto& second = model->request(1);
    CHECK(second.schema == first.schema);
    CHECK(second.messages.size() > first.messages.size());
    CHECK(contains(second.messages.back().content, "could not be used"));
    if (role.name == "integrator")
      CHECK(contains(second.messages.back().content, "it begins with"));
    else if (role.name != "user")
      CHECK(contains(second.messages.back().content, "holds no JSON"));
  }
}

TEST_CASE("no role has anything to fall back on after an invalid reply") {
  const std::uint64_t seed = 99;
  rng draw{seed};
  const std::vector<std::string> junk{
      "",     "{}",   "[]",       "null",     "{\"ratings\": []}",   "0",
      "true", "\xff", "```\n```", "I agree.", "{\"insights\": [{}]}"};
  for (const auto& role : every_role())
    for (int i = 0; i < 60; ++i) {
      // To a user any words are good: junk is a call it does not have.
      const auto reply = [&] {
        if (role.name == "user") return calls_tool("x", "{}");
        auto words = junk[draw.below(junk.size())];
        if (draw.below(2) == 0)
          words += role.good.substr(0, draw.below(role.good.size() - 30));
        return says(words);
      };
      const auto model = replies_in_turn({reply(), reply()});
      const auto kit = kit_of(model);
      job_context context;
      const auto got = role.run(kit, context);
      INFO("seed " << seed << ", " << role.name << ", round " << i << ": "
                   << model->request(1).messages.back().content);
      REQUIRE_FALSE(got);
      CHECK(got.error().code == ec::malformed);
      CHECK(got.error().message.starts_with(role.name + ": "));
      CHECK(model->calls.size() == 2);
      CHECK(kit.tally->counts()[role.name] == role_counts{2, 1, 1, 0, 0});
    }
}

TEST_CASE("every role passes the model's errors on, with its name") {
  for (const auto& role : every_role()) {
    const auto model = std::make_shared<scripted_model>(
        [](const model_call&) -> result<model_answer> {
          return error{ec::over_budget, "nothing left"};
        });
    job_context context;
    const auto got = role.run(kit_of(model), context);
    REQUIRE_FALSE(got);
    CHECK(got.error().code == ec::over_budget);
    CHECK(got.error().message == role.name + ": nothing left");
    CHECK(model->calls.size() == 1);
  }
}

TEST_CASE("an answer of another kind is refused") {
  for (const auto& role : every_role()) {
    const auto model = std::make_shared<scripted_model>(
        [](const model_call&) -> result<model_answer> {
          return model_answer{embedding_reply{}};
        });
    job_context context;
    const auto got = role.run(kit_of(model), context);
    REQUIRE_FALSE(got);
    CHECK(got.error().code == ec::malformed);
  }
}

TEST_CASE("judge and reflector see the task, the steps and the grade") {
  const auto model = replies_in_turn({says(ratings), says(insights)});
  const auto kit = kit_of(model);
  job_context context;
  graded_attempt attempt{the_task, steps, grade, {"Fan", "Light"}};
  const auto rated =
      llm_judge{asker_of("judge", kit), rubrics}.rate(attempt, context);
  REQUIRE(rated);
  const llm_reflector learner{asker_of("reflector", kit), 8};
  const auto learned = learner.reflect(attempt, *rated, context);
  REQUIRE(learned);
  CHECK(learned->front().topic == "fan");
  const auto to_judge = all_text(model->request(0));
  for (const auto* part : {"The light is dark.", "[0] assistant called check",
                           "fan: off", "Does it look?"})
    CHECK(contains(to_judge, part));
  // Not whether it succeeded: habits are rated, not luck.
  CHECK_FALSE(contains(to_judge, "light is bright"));
  const auto to_reflector = all_text(model->request(1));
  for (const auto* part : {"NOT met: light is bright", "- fan\n- light\n",
                           "checks: 0 (never)", "at most 8 entries"})
    CHECK(contains(to_reflector, part));
  CHECK(context.calls == 2);
}

TEST_CASE(
    "a reflector keeps the usable insights of a reply and counts others") {
  const auto model = replies_in_turn({says(
      R"({"insights": [{"concept": "fan", "insight": "Look.", "steps": [0]},)"
      R"( {"concept": "fan", "insight": "Wait.", "steps": [7]},)"
      R"( {"concept": "fan", "insight": "", "steps": [0]}]})")});
  const auto kit = kit_of(model);
  job_context context;
  const auto got = llm_reflector{asker_of("reflector", kit), 8}.reflect(
      {the_task, steps, grade}, {}, context);
  REQUIRE(got);
  REQUIRE(got->size() == 1);
  CHECK(got->front().sentence == "Look.");
  CHECK(model->calls.size() == 1);
  CHECK(kit.tally->counts()["reflector"].dropped == 2);
}

TEST_CASE("judge and reflector see rules, tools and notes of the agent") {
  const std::vector<tool_spec> tools{writes(
      "toggle", {text_parameter("part"), {"why", "string", "", {}, false}})};
  graded_attempt attempt{the_task, steps, grade, {"Fan"}};
  attempt.briefing = "Never open the case.";
  attempt.tools = &tools;
  attempt.documents = {"# Fan\n\nIt may be off.", "# Light\n\nIt may be dim."};
  const auto model = replies_in_turn({says(ratings), says(insights)});
  const auto kit = kit_of(model);
  job_context context;
  REQUIRE(llm_judge{asker_of("judge", kit), rubrics}.rate(attempt, context));
  const llm_reflector learner{asker_of("reflector", kit), 8};
  REQUIRE(learner.reflect(attempt, {}, context));
  for (std::size_t i = 0; i < 2; ++i) {
    const auto& messages = model->request(i).messages;
    CHECK(contains(messages[0].content, "Never open the case."));
    CHECK(contains(messages[0].content, "- toggle(part, why?): \n"));
    CHECK(contains(messages[1].content, "name=\"documents 2\">\n# Light"));
  }
  // Prompts of a benchmark begin alike, so that servers can cache them.
  const task_info other{{"u"}, "Another task."};
  graded_attempt again{other, steps, grade};
  again.briefing = attempt.briefing;
  again.tools = &tools;
  REQUIRE(learner.reflect(again, {}, context));
  const auto one = model->request(1).messages[0].content;
  const auto end = one.find("\n</given-", one.find("- toggle("));
  REQUIRE(end != std::string::npos);
  CHECK(model->request(2).messages[0].content.substr(0, end)
        == one.substr(0, end));
}

namespace {

std::string both(const std::string& ratings_text,
                 const std::string& insights_text) {
  auto out = json::parse(ratings_text);
  out["insights"] = json::parse(insights_text)["insights"];
  return out.dump();
}

/// What came of these replies, and how often the model was asked.
struct reviewed {
  review made;
  std::size_t calls;
  std::map<std::string, role_counts> counts;
};

reviewed review_with(const std::vector<chat_reply>& replies) {
  const auto model = replies_in_turn(replies);
  const auto kit = kit_of(model);
  job_context context;
  auto made = llm_reviewer{asker_of("reflector", kit), rubrics, 8}.study(
      {the_task, steps, grade}, context);
  return {std::move(made), model->calls.size(), kit.tally->counts()};
}

} // namespace

TEST_CASE("one call rates an attempt and learns from it") {
  const auto model = replies_in_turn({says(both(ratings, insights))});
  const auto kit = kit_of(model);
  job_context context;
  const graded_attempt attempt{the_task, steps, grade, {"Fan"}};
  const auto made = llm_reviewer{asker_of("reflector", kit), rubrics, 8}.study(
      attempt, context);
  REQUIRE(made.ratings);
  REQUIRE(made.insights);
  CHECK(made.ratings->size() == 2);
  CHECK(made.insights->front().topic == "fan");
  REQUIRE(model->calls.size() == 1);
  CHECK(model->calls[0].role == "reflector");
  const auto schema = json::parse(model->request(0).schema);
  CHECK(schema["required"] == json::parse(R"(["ratings", "insights"])"));
  const auto asked = all_text(model->request(0));
  for (const auto* part :
       {"The light is dark.", "[0] assistant called check", "Does it look?",
        "NOT met: light is bright", "- fan\n", "at most 8 insights"})
    CHECK(contains(asked, part));
}

TEST_CASE("a bad part of a review costs a repair turn, not the other part") {
  const std::string bad_ratings = R"({"ratings": {}})";
  const std::string bad_insights = R"({"insights": [{"concept": ""}]})";
  // The repaired reply has only the part that was bad.
  auto got = review_with({says(both(bad_ratings, insights)), says(ratings)});
  CHECK(got.calls == 2);
  CHECK(got.made.ratings);
  CHECK(got.made.insights);
  got = review_with({says(both(ratings, bad_insights)), says(insights)});
  CHECK(got.calls == 2);
  CHECK(got.made.ratings);
  CHECK(got.made.insights);
  // What was never good is an error, what once was good stays.
  got = review_with({says(both(bad_ratings, insights)), says("Sorry.")});
  REQUIRE_FALSE(got.made.ratings);
  CHECK(got.made.insights);
  CHECK(contains(got.made.ratings.error().message, "\"ratings\": "));
  CHECK(got.counts["reflector"].rejected == 1);
  got = review_with({says(both(ratings, bad_insights)), says("Sorry.")});
  CHECK(got.made.ratings);
  REQUIRE_FALSE(got.made.insights);
  CHECK(contains(got.made.insights.error().message, "\"insights\": "));
  got = review_with({says("No."), says("No.")});
  CHECK_FALSE(got.made.ratings);
  CHECK_FALSE(got.made.insights);
}

TEST_CASE("a review that cannot be asked for fails with the model's error") {
  const auto model = std::make_shared<scripted_model>(
      [](const model_call&) -> result<model_answer> {
        return error{ec::over_budget, "nothing left"};
      });
  job_context context;
  const auto made =
      llm_reviewer{asker_of("reflector", kit_of(model)), rubrics, 8}.study(
          {the_task, steps, grade}, context);
  REQUIRE_FALSE(made.ratings);
  REQUIRE_FALSE(made.insights);
  CHECK(made.ratings.error().code == ec::over_budget);
  CHECK(made.insights.error().code == ec::over_budget);
}

TEST_CASE("of a conversation judge and reflector are told what it is about") {
  const task_info talk{{"t"}, "", "The user wants light."};
  const auto model = replies_in_turn({says(ratings), says(insights)});
  const auto kit = kit_of(model);
  job_context context;
  const graded_attempt attempt{talk, steps, grade};
  REQUIRE(llm_judge{asker_of("judge", kit), rubrics}.rate(attempt, context));
  const llm_reflector learner{asker_of("reflector", kit), 8};
  REQUIRE(learner.reflect(attempt, {}, context));
  for (std::size_t i = 0; i < 2; ++i)
    CHECK(contains(all_text(model->request(i)), "The user wants light."));
}

TEST_CASE("without a knowledge base the reflector is told of no concepts") {
  const auto model = replies_in_turn({says(insights)});
  job_context context;
  REQUIRE(llm_reflector{asker_of("reflector", kit_of(model)), 8}.reflect(
      {the_task, steps, grade}, {}, context));
  CHECK_FALSE(contains(all_text(model->request(0)), "The known concepts:"));
}

TEST_CASE("the integrator keeps evidence and numbers the best known first") {
  const auto model = replies_in_turn({says(body)});
  job_context context;
  const auto work = integration();
  const auto parent = make_document("# Fan\n\nOld text.\n");
  const llm_integrator writer{asker_of("integrator", kit_of(model)),
                              document_parts("tau2-telecom"),
                              {}};
  const auto made = writer.integrate(work, &parent, context);
  REQUIRE(made);
  CHECK(made->id == work.id);
  CHECK(made->body.starts_with("# Fan\n\n**When to use**\n"));
  REQUIRE(made->evidence.size() == 2);
  CHECK(made->evidence[0].insights == std::vector<insight_id>{{"often"}});
  CHECK(made->evidence[1].insights == std::vector<insight_id>{{"rare"}});
  const auto asked = all_text(model->request(0));
  CHECK(contains(
      asked, "[i1] (5 rollouts, 0 succeeded, mean reward 0.00) Often seen."));
  CHECK(contains(
      asked, "[i2] (1 rollout, 0 succeeded, mean reward 0.00) Rarely seen."));
  CHECK(contains(asked, "Old text."));
  CHECK(contains(asked, "**Why to use it**"));
}

TEST_CASE("the integrator samples: the job's temperature, a seed per draw") {
  std::set<std::uint64_t> seeds;
  for (std::uint32_t draw = 0; draw < 4; ++draw) {
    const auto model = replies_in_turn({says(body)});
    const auto work = integration(draw);
    job_context context{work.id, 0, nullptr};
    const llm_integrator writer{asker_of("integrator", kit_of(model),
                                         {.model = "m", .temperature = {}}),
                                document_parts("tau2-telecom"),
                                {}};
    REQUIRE(writer.integrate(work, nullptr, context));
    CHECK(model->request(0).temperature == 0.7);
    seeds.insert(model->request(0).seed.value());
  }
  CHECK(seeds.size() == 4);
  const auto model = replies_in_turn({says(body)});
  job_context context;
  const llm_integrator writer{
      asker_of("integrator", kit_of(model), {.model = "m", .temperature = {}}),
      document_parts("tau2-telecom"),
      {.send_temperature = false}};
  REQUIRE(writer.integrate(integration(), nullptr, context));
  CHECK_FALSE(model->request(0).temperature);
}

TEST_CASE("a document that was cut off is not taken") {
  auto cut = says(body);
  cut.finish = chat_finish::length;
  const auto model = replies_in_turn({cut});
  job_context context;
  const auto made = llm_integrator{
      asker_of("integrator", kit_of(model)),
      document_parts("tau2-telecom"),
      {}}.integrate(integration(), nullptr, context);
  REQUIRE_FALSE(made);
  CHECK(contains(made.error().message, "cut off"));
}

TEST_CASE("sampling is sent as the role is told") {
  const auto request = [](const role_model& options) {
    const auto model = replies_in_turn({says(ratings)});
    job_context context;
    REQUIRE(llm_judge{asker_of("judge", kit_of(model), options), rubrics}.rate(
        {the_task, steps, grade}, context));
    return model->request(0);
  };
  const auto usual = request({.model = "m"});
  CHECK(usual.model == "m");
  CHECK(usual.temperature == 0.1);
  CHECK(usual.seed);
  CHECK(usual.max_tokens == 0);
  CHECK(usual.schema_name == "ratings");
  const auto reasoning = request({.model = "o",
                                  .temperature = std::nullopt,
                                  .max_tokens = 500,
                                  .reasoning_effort = "low",
                                  .send_seed = false});
  CHECK_FALSE(reasoning.temperature);
  CHECK_FALSE(reasoning.seed);
  CHECK(reasoning.max_tokens == 500);
  CHECK(reasoning.reasoning_effort == "low");
}

TEST_CASE("a user sees what it said, did and heard, roles reversed") {
  const std::vector<tool_spec> own{reads("check_phone")};
  const auto model = replies_in_turn({calls_tool("check_phone", "{}")});
  const auto kit = kit_of(model);
  job_context context;
  llm_user player{asker_of("user", kit), context};
  const turn call{"", {{"c1", "check_phone", json::object()}}};
  const auto move =
      player.answer({"Say ###STOP### to end.", "Your phone is dead.", &own},
                    {{user_event::kind::heard, "Hi!", {}, {}, false},
                     {user_event::kind::said, {}, {"Help.", {}}, {}, false},
                     {user_event::kind::heard, "Check it.", {}, {}, false},
                     {user_event::kind::said, {}, call, {}, false},
                     {user_event::kind::answered, "dead", {}, "c1", false}});
  REQUIRE(move);
  REQUIRE(move->calls.size() == 1);
  CHECK(move->calls[0].name == "check_phone");
  const auto& asked = model->request(0);
  REQUIRE(asked.messages.size() == 6);
  CHECK(contains(asked.messages[0].content, "###STOP###"));
  CHECK(contains(asked.messages[0].content, "Your phone is dead."));
  CHECK(contains(asked.messages[0].content, "You have tools"));
  CHECK(asked.messages[1].role == chat_role::user);
  CHECK(asked.messages[2].role == chat_role::assistant);
  CHECK(asked.messages[4].tool_calls.front().id == "c1");
  CHECK(asked.messages[5].role == chat_role::tool);
  CHECK(asked.tools.size() == 1);
}

TEST_CASE("a user without tools is not told of any and may call none") {
  const auto model = replies_in_turn({calls_tool("check", "{}"), says("Oh.")});
  job_context context;
  llm_user player{asker_of("user", kit_of(model)), context};
  const auto move = player.answer(
      {"g", "s", nullptr}, {{user_event::kind::heard, "Hi!", {}, {}, false}});
  REQUIRE(move);
  CHECK(move->text == "Oh.");
  CHECK(model->request(0).tools.empty());
  CHECK_FALSE(contains(all_text(model->request(0)), "You have tools"));
}

TEST_CASE("no statements, no call") {
  const auto model = replies_in_turn({says("")});
  job_context context;
  llm_statement_judge judge{asker_of("statement_judge", kit_of(model)),
                            context};
  const auto got = judge.holds({}, steps);
  REQUIRE(got);
  CHECK(got->empty());
  CHECK(model->calls.empty());
}

TEST_CASE("a request that the server refuses is the study's loss alone") {
  // The job's runner keeps the grade of an attempt whose study was refused.
  for (const auto& role : every_role()) {
    INFO(role.name);
    const auto model = std::make_shared<scripted_model>(
        [](const model_call&) -> result<model_answer> {
          return error{ec::invalid_argument, "HTTP 400: no"};
        });
    job_context context;
    const auto done = role.run(kit_of(model), context);
    REQUIRE_FALSE(done);
    const bool studies = role.name == "judge" || role.name == "reflector";
    CHECK((done.error().code == ec::refused_content) == studies);
    CHECK(contains(done.error().message, "HTTP 400: no"));
  }
}
