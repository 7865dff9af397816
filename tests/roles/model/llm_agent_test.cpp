/// How an attempt of a model agent goes on and ends.

#include "tests/roles/model/agent_bench.hpp"

using namespace brewery;
using namespace brewery::test;

TEST_CASE("the agent calls tools until it has only words left") {
  player who{replies_in_turn({calls_tool("check", "{}", "First a look."),
                              calls_tool("toggle", R"({"part": "fan"})"),
                              says("Done.")})};
  auto env = device();
  const auto done = who.play(env);
  REQUIRE(done);
  CHECK(done->cut_short.empty());
  CHECK(env.called == lines{"check", "toggle"});
  REQUIRE(done->steps.size() == 4);
  CHECK(done->steps[0].observation == "First a look.");
  CHECK(done->steps[0].tool == words_tool);
  CHECK(done->steps[1].observation == "fan: off");
  CHECK(done->steps[1].reason == "First a look.");
  CHECK(done->steps[2].mutates);
  CHECK(done->steps[3].observation == "Done.");
  // The last request has the whole exchange, each answer with its call's id.
  const auto& last = who.model->request(2).messages;
  REQUIRE(last.size() == 6);
  CHECK(last[0].role == chat_role::system);
  CHECK(contains(last[1].content, agents_task.instruction));
  CHECK(last[3].role == chat_role::tool);
  CHECK(last[3].content == "fan: off");
  CHECK(last[3].tool_call_id == last[2].tool_calls.front().id);
  CHECK(last[4].tool_calls.front().arguments == R"({"part":"fan"})");
}

TEST_CASE("calls of a job are numbered and named after role and job") {
  player who{replies_in_turn({calls_tool("check", "{}"), says("Done.")})};
  auto env = device();
  REQUIRE(who.play(env));
  REQUIRE(who.model->calls.size() == 2);
  for (std::uint32_t i = 0; i < 2; ++i) {
    CHECK(who.model->calls[i].number == i);
    CHECK(who.model->calls[i].role == "agent");
    CHECK(who.model->calls[i].job == job_id{"job-1"});
  }
  CHECK(who.model->request(0).seed != who.model->request(1).seed);
  CHECK(who.counts().calls == 2);
}

TEST_CASE("an agent that ends by a call has to call") {
  player who{replies_in_turn({says("Done.")})};
  auto env = device();
  REQUIRE(who.play(env));
  CHECK(who.model->request(0).tool_choice == "auto");
  ending_device with_end;
  player other{replies_in_turn({calls_tool("done", "{}")})};
  REQUIRE(other.play(with_end));
  CHECK(other.model->request(0).tool_choice == "required");
}

TEST_CASE("words where only a call counts are asked for once more as a call") {
  player who{replies_in_turn({says("I look first."), calls_tool("check", "{}"),
                              says("All is done."), calls_tool("done", "{}")})};
  ending_device env;
  const auto done = who.play(env);
  REQUIRE(done);
  CHECK(done->cut_short.empty());
  CHECK(env.called == lines{"", "check", "done"});
  REQUIRE(who.model->calls.size() == 4);
  const auto& told = who.model->request(1).messages.back().content;
  CHECK(contains(told, "nobody reads them"));
  CHECK(contains(told, "`done` ends the attempt"));
  // What was set right leaves no trace in the conversation.
  CHECK_FALSE(contains(all_text(who.model->request(2)), "I look first."));
  CHECK(who.counts().words == 2);
  CHECK(who.counts().repaired == 2);
  CHECK(who.counts().rejected == 0);
}

TEST_CASE("words twice in a turn end the attempt, graded as it stands") {
  player who{replies_in_turn({calls_tool("check", "{}"), says("I am done.")})};
  ending_device env;
  const auto done = who.play(env);
  REQUIRE(done);
  CHECK(done->steps.size() == 1);
  CHECK(done->cut_short
        == "after 1 call there were words where only a call counts (\"I am "
           "done.\"): agent: model 'm': the reply could not be used, nor could "
           "the one after it was told why: it has only words, and nobody reads "
           "them. Call one of your tools; `done` ends the attempt");
  CHECK(who.model->calls.size() == 3);
  CHECK(who.counts().words == 2);
  REQUIRE(who.context.notes.size() == 3);
  CHECK(who.context.notes[0].what == reply_trouble::words);
  CHECK(who.context.notes[0].count == 2);
  CHECK_FALSE(done->broke_off);
}

TEST_CASE("an agent that is empty after its first words is graded") {
  player who{replies_in_turn({says("Done."), says("")})};
  ending_device env;
  const auto done = who.play(env);
  REQUIRE(done);
  CHECK(done->steps.empty());
  CHECK(contains(done->cut_short, "after 0 calls: "));
  CHECK_FALSE(done->broke_off); // it has said that it is done
}

namespace {

chat_reply cut_off(chat_reply reply) {
  reply.finish = chat_finish::length;
  return reply;
}

} // namespace

TEST_CASE("an agent's cut reply is asked for again before anyone sees it") {
  const auto whole = calls_tool("toggle", R"({"part": "fan"})");
  for (const auto& half :
       {says(""), says("I will now"), calls_tool("toggle", R"({"part": )"),
        calls_tool("toggle", "")}) {
    player who{replies_in_turn({cut_off(half), whole, says("Done.")})};
    who.options.llm.max_tokens = 40;
    auto env = device();
    REQUIRE(who.play(env));
    CHECK(env.called == lines{"toggle"});
    CHECK(who.model->request(1).max_tokens == 160);
    CHECK(who.model->request(1).messages == who.model->request(0).messages);
    // The larger limit is for this reply only.
    CHECK(who.model->request(2).max_tokens == 40);
    CHECK(who.counts().cut == 1);
    CHECK(who.counts().bad_arguments == 0);
  }
}

TEST_CASE("of an agent's reply that is cut twice counts what there is") {
  player words{replies_in_turn(
      {cut_off(says("I will")), cut_off(says("I will now")), says("Bye.")})};
  words.options.llm.max_tokens = 40;
  talking_environment desk{{"Well?"}};
  REQUIRE(words.play(desk));
  REQUIRE_FALSE(desk.moves.empty());
  CHECK(desk.moves[0].text == "I will now");
  CHECK(words.counts().cut == 2);

  for (const auto* arguments : {"", R"({"part": )"}) {
    player call{replies_in_turn({cut_off(calls_tool("toggle", arguments)),
                                 cut_off(calls_tool("toggle", arguments)),
                                 says("Done.")})};
    call.options.llm.max_tokens = 40;
    auto env = device();
    const auto done = call.play(env);
    REQUIRE(done);
    CHECK(env.called.empty());
    CHECK(contains(done->steps.at(0).observation, "the reply was cut off"));
  }

  player nothing{replies_in_turn({cut_off(says(""))})};
  nothing.options.llm.max_tokens = 40;
  auto env = device();
  const auto done = nothing.play(env);
  REQUIRE(done);
  CHECK(contains(done->cut_short,
                 "agent: model 'm': the reply was cut at 40 tokens "
                 "(agent.max_tokens) before its first word; the reply with "
                 "room for 160 tokens was cut before its first word too; raise "
                 "agent.max_tokens"));
}

TEST_CASE("words that are cut stand if the server gives no more room") {
  int asked = 0;
  player who{std::make_shared<scripted_model>(
      [&](const model_call&) -> result<model_answer> {
        if (++asked == 2) return error{ec::invalid_argument, "HTTP 400"};
        return answered(cut_off(says("I will")));
      })};
  who.options.llm.max_tokens = 40;
  talking_environment desk{{}};
  const auto done = who.play(desk);
  REQUIRE(done);
  CHECK(desk.moves.at(0).text == "I will");
}

TEST_CASE("arguments that cannot be read are answered as an error") {
  auto both = calls_tool("check", "{}");
  both.tool_calls.push_back({"x", "toggle", "{part: fan}"});
  player who{replies_in_turn({calls_tool("toggle", "[]"), both, says("Ok.")})};
  auto env = device();
  const auto done = who.play(env);
  REQUIRE(done);
  CHECK(env.called == lines{"check"});
  CHECK(who.counts().bad_arguments == 2);
  REQUIRE(done->steps.size() == 4);
  CHECK(done->steps[0].failed);
  CHECK(done->steps[0].tool == "toggle");
  CHECK(json::parse(done->steps[0].arguments)["unreadable"] == "[]");
  CHECK(contains(done->steps[0].observation, "expected a JSON object"));
  CHECK(done->steps[1].tool == "check");
  CHECK(done->steps[2].failed);
  const auto& last = who.model->request(2).messages;
  // system, task, call, error, two calls, answer, error
  REQUIRE(last.size() == 7);
  CHECK(contains(last[3].content, "cannot be read"));
  CHECK(last[5].content == "fan: off");
  CHECK(last[6].tool_call_id == "x");
  // Servers parse the arguments of the past again.
  for (const auto& message : last)
    for (const auto& call : message.tool_calls)
      CHECK(json::accept(call.arguments));
}

TEST_CASE("an agent that never ends is cut short and says so") {
  player who{replies_in_turn({calls_tool("check", "{}")})};
  who.options.max_calls = 5;
  auto env = device();
  const auto done = who.play(env);
  REQUIRE(done);
  CHECK(done->steps.size() == 5);
  CHECK(contains(done->cut_short, "agent.max_calls"));
}

TEST_CASE("more calls at once than are left are not made") {
  auto many = calls_tool("check", "{}");
  for (int i = 0; i < 9; ++i)
    many.tool_calls.push_back({std::to_string(i), "check", "{}"});
  player who{replies_in_turn({many})};
  who.options.max_calls = 4;
  auto env = device();
  const auto done = who.play(env);
  REQUIRE(done);
  CHECK(env.called.size() == 4);
  CHECK_FALSE(done->cut_short.empty());
}

TEST_CASE(
    "a conversation that outgrows the context ends, graded as it stands") {
  int asked = 0;
  auto model = std::make_shared<scripted_model>(
      [&](const model_call&) -> result<model_answer> {
        if (++asked == 3) return error{ec::context_too_long, "8192 tokens"};
        return answered(calls_tool("check", "{}"));
      });
  player who{model};
  auto env = device();
  const auto done = who.play(env);
  REQUIRE(done);
  CHECK(done->steps.size() == 2);
  CHECK(contains(done->cut_short, "outgrew the model's context after 2"));
  CHECK(who.counts().overflowed == 1);
}

TEST_CASE("a first prompt that does not fit is an attempt without a step") {
  player who{std::make_shared<scripted_model>(
      [](const model_call&) -> result<model_answer> {
        return error{ec::context_too_long, "8192 tokens"};
      })};
  auto env = device();
  const auto done = who.play(env);
  REQUIRE(done); // a base that does not fit is not left out of its mean
  CHECK(done->steps.empty());
  CHECK(contains(done->cut_short, "outgrew the model's context after 0"));
}

TEST_CASE("errors of the model end the attempt without a score") {
  for (const auto code : {ec::over_budget, ec::rate_limited, ec::timeout,
                          ec::unauthorized, ec::io}) {
    int asked = 0;
    player who{std::make_shared<scripted_model>(
        [&](const model_call&) -> result<model_answer> {
          if (++asked == 2) return error{code, "no"};
          return answered(calls_tool("check", "{}"));
        })};
    auto env = device();
    const auto done = who.play(env);
    REQUIRE_FALSE(done);
    CHECK(done.error().code == code);
  }
}

TEST_CASE("an empty reply is asked for once more, then the attempt ends") {
  player once{replies_in_turn({says(" "), says("Done.")})};
  auto env = device();
  REQUIRE(once.play(env));
  CHECK(once.counts().repaired == 1);
  CHECK(contains(all_text(once.model->request(1)), "neither words nor a call"));
  player never{replies_in_turn({calls_tool("check", "{}"), says("")})};
  const auto done = never.play(env);
  REQUIRE(done);
  CHECK(done->steps.size() == 1);
  CHECK(contains(done->cut_short, "after 1 call: "));
  CHECK(done->broke_off);
  CHECK(never.counts().rejected == 1);
  CHECK(never.model->calls.size() == 3);
  player silent{replies_in_turn({says("")})};
  const auto nothing = silent.play(env);
  REQUIRE(nothing); // before its first call as after it
  CHECK(nothing->steps.empty());
  CHECK(contains(nothing->cut_short, "after 0 calls: "));
  CHECK(nothing->broke_off);
}

TEST_CASE("a model that refuses its agent's task has broken off") {
  int asked = 0;
  player who{std::make_shared<scripted_model>(
      [&](const model_call&) -> result<model_answer> {
        if (++asked == 2) return error{ec::refused_content, "filtered"};
        return answered(calls_tool("check", "{}"));
      })};
  auto env = device();
  const auto done = who.play(env);
  REQUIRE(done);
  CHECK(done->steps.size() == 1);
  CHECK(done->broke_off);
  CHECK(done->cut_short == "after 1 call: agent: filtered");
  REQUIRE(who.context.notes.size() == 1);
  CHECK(who.context.notes[0]
        == reply_note{"agent", std::string{reply_trouble::refused}, 1,
                      "agent: filtered"});
}

TEST_CASE("a refusal in place of a better reply leaves neither on record") {
  int asked = 0;
  player who{std::make_shared<scripted_model>(
      [&](const model_call&) -> result<model_answer> {
        if (++asked == 2) return error{ec::refused_content, "filtered"};
        return answered(says(""));
      })};
  auto env = device();
  const auto done = who.play(env);
  REQUIRE(done);
  CHECK(done->broke_off);
  CHECK(who.model->verdicts.size() == 2);
}

TEST_CASE("what is no reply of a model ends no attempt, it has no score") {
  int asked = 0;
  player who{std::make_shared<scripted_model>(
      [&](const model_call&) -> result<model_answer> {
        if (++asked == 2) return error{ec::malformed, "not JSON"};
        return answered(calls_tool("check", "{}"));
      })};
  auto env = device();
  const auto done = who.play(env);
  REQUIRE_FALSE(done);
  CHECK(done.error().code == ec::malformed);
}

TEST_CASE("a cancelled job asks no model any more") {
  std::atomic<bool> cancelled{false};
  player who{std::make_shared<scripted_model>([&](const model_call&) {
    cancelled = true;
    return answered(calls_tool("check", "{}"));
  })};
  who.context.cancelled = &cancelled;
  auto env = device();
  const auto done = who.play(env);
  REQUIRE_FALSE(done);
  CHECK(done.error().code == ec::cancelled);
  CHECK(who.model->calls.size() == 1);
}

TEST_CASE("in a conversation the other side's words come and are answered") {
  player who{replies_in_turn({says("Is it on?"), calls_tool("check", "{}"),
                              says("Switch it on."), says("Bye.")})};
  talking_environment env{{"I think so.", "Thanks."}};
  const auto done = who.play(env);
  REQUIRE(done);
  CHECK(env.moves.size() == 4);
  const auto& first = who.model->request(0).messages;
  REQUIRE(first.size() == 2);
  CHECK(first[1].content == "My roaming is broken.");
  CHECK(contains(first[0].content, "Be brief."));
  // The scenario is the user's; the agent hears only what is said.
  CHECK_FALSE(
      contains(all_text(who.model->request(3)), agents_task.instruction));
  CHECK(who.model->request(3).messages.back().content == "Thanks.");
}

TEST_CASE("where the other side fails at its first words no agent is asked") {
  class mute final : public environment {
  public:
    explicit mute(job_context& context) : context_(context) {}
    const std::vector<tool_spec>& tools() const override { return tools_; }
    tool_result call(std::string_view, const json&) override { return {}; }
    result<std::string> opening() override {
      context_.rejected_at = ++context_.calls; // as a user on a model does
      return error{ec::refused_content, "user: filtered"};
    }
    result<grade_report> grade() override { return grade_report{}; }

  private:
    job_context& context_;
    std::vector<tool_spec> tools_{reads("check")};
  };
  player who{replies_in_turn({says("What is it?")})};
  mute env{who.context};
  const auto done = who.play(env);
  REQUIRE_FALSE(done); // and no score: the agent has not given up
  CHECK(done.error().message == "user: filtered");
  CHECK(who.model->calls.empty());
}

TEST_CASE("an environment that gives too few results is its own error") {
  class broken final : public environment {
  public:
    const std::vector<tool_spec>& tools() const override { return tools_; }
    tool_result call(std::string_view, const json&) override { return {}; }
    result<turn_outcome> take_turn(const turn&) override {
      return turn_outcome{};
    }
    result<grade_report> grade() override { return grade_report{}; }

  private:
    std::vector<tool_spec> tools_{reads("check")};
  };
  for (const auto& reply : {calls_tool("check", "{}"), says("Hello?")}) {
    player who{replies_in_turn({reply})};
    broken env;
    const auto done = who.play(env);
    REQUIRE_FALSE(done);
    CHECK(done.error().code == ec::environment);
  }
}

TEST_CASE("the agent's fingerprint follows all that it depends on") {
  const auto kit = kit_of(replies_in_turn({says("")}));
  const agent_options options;
  const retrieval_options retrieval;
  const auto of = [&](const role_model& model, const agent_options& a,
                      const retrieval_options& r) {
    return llm_agent{asker_of("agent", kit, model), a, r}.fingerprint();
  };
  const role_model base{.model = "m"};
  std::set<std::string> seen{of(base, options, retrieval)};
  const auto differs = [&](const std::string& other) {
    CHECK(seen.insert(other).second);
  };
  differs(of({.model = "n"}, options, retrieval));
  differs(of({.model = "m", .temperature = 0.2}, options, retrieval));
  differs(of({.model = "m", .temperature = std::nullopt}, options, retrieval));
  // A run may go on with another limit.
  CHECK(of({.model = "m", .max_tokens = 9}, options, retrieval)
        == of(base, options, retrieval));
  differs(of({.model = "m", .reasoning_effort = "low"}, options, retrieval));
  differs(of({.model = "m", .send_seed = false}, options, retrieval));
  agent_options fewer;
  fewer.max_calls = 7;
  differs(of(base, fewer, retrieval));
  differs(of(base, options, {.top_k = 9}));
  differs(of(base, options, {.per_observation = false}));
}
