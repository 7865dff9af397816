#include "base/rng.hpp"
#include "roles/model/llm_embedder.hpp"
#include "roles/model/llm_integrator.hpp"
#include "roles/model/llm_judge.hpp"
#include "roles/model/llm_reflector.hpp"
#include "roles/model/llm_reviewer.hpp"
#include "roles/model/llm_statement_judge.hpp"
#include "roles/model/llm_user.hpp"
#include "tests/roles/scripted_model.hpp"

#include <cmath>

using namespace brewery;
using namespace brewery::test;

namespace {

const task_info the_task{{"t"}, "The light is dark."};
const std::vector<trajectory_step> steps{observed("check", "fan: off"),
                                         changed("toggle")};
const grade_report grade{0, {{"light is bright", false}}};
const std::vector<rubric> rubrics{{"looks", "Does it look?", "yes", "no"},
                                  {"checks", "Does it check?", "yes", "no"}};

const char* const ratings =
    R"({"ratings": {"looks": {"reason": "at 0", "score": 1},)"
    R"( "checks": {"reason": "never", "score": 0}}})";
const char* const insights =
    R"({"insights": [{"concept": "fan", "insight": "Look.", "steps": [0]}]})";
const char* const verdicts =
    R"({"verdicts": {"1": {"reason": "r", "holds": true}}})";
const char* const body = "**When to use**\n- The fan is off. [i1]\n\n"
                         "**Why to use it**\n- w\n\n### How to perform\n- h\n\n"
                         "### Additional actions\n- a\n\n### Example\n- e\n";

integrate_job integration(std::uint32_t draw = 0) {
  integrate_job work;
  work.concept_ref = {3};
  work.title = "Fan";
  auto rare = times(1, {}), often = times(5, {});
  rare.item.sentence = "Rarely seen.";
  often.item.sentence = "Often seen.";
  rare.item.id = {"rare"};
  often.item.id = {"often"};
  work.insights = {rare, often};
  work.temperature = 0.7;
  work.draw = draw;
  work.id = identity(work);
  return work;
}

/// Every role that reads replies, as one call that fails or not.
struct tried_role {
  std::string name;
  std::string good; ///< a reply that it takes
  std::function<result<void>(const model_kit&, job_context&)> run;
};

template <class T>
result<void> outcome_of(const result<T>& got) {
  if (!got) return got.error();
  return {};
}

std::vector<tried_role> every_role(const role_model& how = {.model = "m"}) {
  return {
      {"judge", ratings,
       [how](const model_kit& kit, job_context& context) {
         return outcome_of(llm_judge{asker_of("judge", kit, how), rubrics}.rate(
             {the_task, steps, grade}, context));
       }},
      {"reflector", insights,
       [how](const model_kit& kit, job_context& context) {
         return outcome_of(
             llm_reflector{asker_of("reflector", kit, how), 8}.reflect(
                 {the_task, steps, grade}, {}, context));
       }},
      {"integrator", body,
       [how](const model_kit& kit, job_context& context) {
         return outcome_of(llm_integrator{
             asker_of("integrator", kit, how),
             document_parts("tau2-telecom"),
             {}}.integrate(integration(), nullptr, context));
       }},
      {"statement_judge", verdicts,
       [how](const model_kit& kit, job_context& context) {
         return outcome_of(
             llm_statement_judge{asker_of("statement_judge", kit, how), context}
                 .holds({"It is on."}, steps));
       }},
      {"user", "Hello.", [how](const model_kit& kit, job_context& context) {
         return outcome_of(llm_user{asker_of("user", kit, how), context}.answer(
             {"Be a user.", "You want light.", nullptr},
             {{user_event::kind::heard, "Hi!", {}, {}, false}}));
       }}};
}

} // namespace

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
  REQUIRE(made->evidence.size() == 1);
  CHECK(made->evidence[0].insights == std::vector<insight_id>{{"often"}});
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

namespace {

/// Answers with a vector for each text, made by `of`.
std::shared_ptr<scripted_model>
embedding_model(std::function<std::vector<double>(const std::string&)> of) {
  return std::make_shared<scripted_model>(
      [of = std::move(of)](const model_call& call) -> result<model_answer> {
        embedding_reply reply;
        for (const auto& text : std::get<embedding_request>(call.request).texts)
          reply.vectors.push_back(of(text));
        return model_answer{reply};
      });
}

result<std::vector<std::vector<double>>>
embed(const std::shared_ptr<scripted_model>& model, const lines& texts,
      std::uint32_t batch = 2, std::uint32_t dimensions = 0) {
  embedder_options options;
  options.batch = batch;
  options.model_dimensions = dimensions;
  job_context context;
  return llm_embedder{asker_of("embedder", kit_of(model)), options}.embed(
      texts, context);
}

} // namespace

TEST_CASE("texts are embedded in batches, in order, as unit vectors") {
  const auto model = embedding_model([](const std::string& text) {
    return std::vector<double>{3.0 * static_cast<double>(text.size()), 4};
  });
  const lines texts{"a", "bb", "ccc", "dddd", "eeeee"};
  const auto got = embed(model, texts);
  REQUIRE(got);
  REQUIRE(got->size() == texts.size());
  CHECK(model->calls.size() == 3);
  CHECK(got->at(0)[0] == Approx(0.6));
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const auto& v = got->at(i);
    CHECK(v[0] * v[0] + v[1] * v[1] == Approx(1));
    CHECK(v[0] / v[1] == Approx(0.75 * static_cast<double>(texts[i].size())));
  }
  CHECK(embed(model, {})->empty());
}

TEST_CASE("vectors that cannot be unit vectors of one length are refused") {
  const auto always = [](std::vector<double> vector) {
    return embedding_model(
        [vector = std::move(vector)](const std::string&) { return vector; });
  };
  const std::vector<std::pair<std::shared_ptr<scripted_model>, std::string>>
      cases{{always({0, 0}), "cannot be brought to 1"},
            {always({NAN, 1}), "cannot be brought to 1"},
            {always({INFINITY, 1}), "cannot be brought to 1"},
            {always({}), "has 0 numbers"},
            {embedding_model([](const std::string& text) {
               return std::vector<double>(text.size(), 1.0);
             }),
             "the vector of \"bb\" has 2 numbers, expected 1"},
            {std::make_shared<scripted_model>(
                 [](const model_call&) -> result<model_answer> {
                   return model_answer{embedding_reply{{{1.0}}, {}}};
                 }),
             "1 vectors for 2 texts"}};
  for (const auto& [model, words] : cases) {
    const auto got = embed(model, {"a", "bb", "ccc"});
    REQUIRE_FALSE(got);
    CHECK(got.error().code == ec::malformed);
    INFO(got.error().message);
    CHECK(contains(got.error().message, words));
  }
  CHECK_FALSE(embed(always({1, 2, 3}), {"a"}, 2, 4));
  const auto empty = embed(always({1}), {"a", " "});
  REQUIRE_FALSE(empty);
  CHECK(contains(empty.error().message, "text 2 of 2 is empty"));
}
