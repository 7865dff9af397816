#include "base/text.hpp"
#include "llm/accounts/spend.hpp"

#include <catch2/catch.hpp>

#include <limits>

using namespace brewery;
using Catch::Contains;

namespace {

constexpr picodollars a_cent = picodollars_per_dollar / 100;

model_record record_of(const std::string& role, const std::string& model) {
  model_record out;
  out.role = role;
  out.model = model;
  out.usage = {1'000, 250, 40, 10};
  out.cost = a_cent;
  out.asked_ms = 1'500;
  out.duration_ms = 2'500;
  chat_reply reply;
  reply.usage = out.usage;
  out.answer = model_answer{reply};
  return out;
}

model_record lost(const std::string& role, const std::string& model) {
  model_record out;
  out.role = role;
  out.model = model;
  out.usage.prompt = 5'000;
  out.cost = 2 * a_cent;
  return out;
}

} // namespace

TEST_CASE("calls are summed by role and model") {
  model_spend spend;
  spend.add(record_of("agent", "small"));
  spend.add(record_of("agent", "small"));
  spend.add(record_of("agent", "large"));
  spend.add(record_of("judge", "small"));
  REQUIRE(spend.lines.size() == 3);
  const auto& line = spend.lines.at({"agent", "small"});
  CHECK(line.calls == 2);
  CHECK(line.usage == token_usage{2'000, 500, 80, 20});
  CHECK(line.cost == 2 * a_cent);
  CHECK(line.asked_ms == 3'000);
  CHECK(line.duration_ms == 5'000);
  CHECK(spend.total().calls == 4);
  CHECK(spend.total().cost == 4 * a_cent);
}

TEST_CASE("a failed attempt that may be charged is no call and no tokens") {
  model_spend spend;
  spend.add(record_of("agent", "small"));
  spend.add(lost("agent", "small"));
  const auto all = spend.total();
  CHECK(all.calls == 1);
  CHECK(all.usage.prompt == 1'000);
  CHECK(all.cost == a_cent);
  CHECK(all.lost == 1);
  CHECK(all.lost_tokens == 5'000);
  CHECK(all.lost_cost == 2 * a_cent);
  CHECK_THAT(spend_text(spend), Contains("1 failed attempt may be charged, at "
                                         "most $0.0200"));
}

TEST_CASE("a refusal that its server counted is a call with its own cost") {
  auto refused = record_of("agent", "small");
  refused.answer.reset();
  refused.print.settings = "hash";
  model_spend spend;
  spend.add(refused);
  const auto all = spend.total();
  CHECK(all.calls == 1);
  CHECK(all.lost == 0);
  CHECK(all.usage == refused.usage);
  CHECK(all.cost == a_cent);
}

TEST_CASE("tokens that no server counted are in no sum but the upper one") {
  auto uncounted = record_of("agent", "small");
  uncounted.usage = {5'000, 0, 0, 0}; // what was reserved
  uncounted.answer = model_answer{chat_reply{}};
  model_spend spend;
  spend.add(uncounted);
  CHECK(spend.total().usage == token_usage{});
  CHECK(spend.total().tokens_at_most() == 5'000);
  CHECK(spend.total().cost == a_cent);
  CHECK_THAT(
      spend_text(spend),
      Contains("agent  small  1      -       -       -      $0.0100  1.5 "
               "s\nuncounted  1 call of servers that count no tokens"));
  CHECK(spend_json(spend).at(0)["prompt_tokens"] == 0);
  CHECK(spend_json(spend).at(0)["uncounted"] == 1);
  const auto counted = record_of("agent", "small");
  spend.add(counted);
  CHECK(spend.total().usage == counted.usage);
  CHECK_THAT(spend_text(spend), Contains("agent  small  2      1000 "));
}

TEST_CASE("a sum beyond the largest stays there, and is never negative") {
  constexpr auto most = std::numeric_limits<picodollars>::max();
  model_spend spend;
  auto dear = record_of("agent", "small");
  dear.cost = most;
  spend.add(dear);
  spend.add(dear);
  spend.add(lost("agent", "small"));
  CHECK(spend.total().cost == most);
  CHECK(spend.total().cost_at_most() == most);
}

TEST_CASE("the table gives tokens, cached share, cost and time of each role") {
  model_spend spend;
  spend.add(record_of("agent", "small"));
  spend.add(record_of("judge", "large"));
  CHECK(spend_text(spend)
        == "role   model  calls  prompt  cached  reply  cost     time\n"
           "agent  small  1      1000    25.0 %  40     $0.0100  1.5 s\n"
           "judge  large  1      1000    25.0 %  40     $0.0100  1.5 s\n"
           "total         2      2000    25.0 %  80     $0.0200  3.0 s\n"
           "waited     2.0 s for turns and between attempts, not in the "
           "table\n");
}

TEST_CASE("no line of the table is wider than a terminal") {
  model_spend spend;
  for (const char* role : {"statement_judge", "integrator"}) {
    auto record = record_of(role, "a-model-with-a-long-name-of-forty-letters");
    record.usage = {123'456'789'012, 99'999'999'999, 12'345'678'901, 0};
    record.cost = 12'345 * picodollars_per_dollar;
    record.asked_ms = 360'000'000;
    spend.add(record);
    spend.add(lost(role, "a-model-with-a-long-name-of-forty-letters"));
  }
  const auto text = spend_text(spend);
  for (const auto line : split(text, '\n'))
    CHECK(line.size() <= 80);
}

TEST_CASE("what is not known is shown as a dash, not as nothing") {
  model_spend spend;
  auto old = record_of("agent", ""); // of an older release
  old.asked_ms = 0;
  old.cost = 0; // a price of 0, or none
  old.usage.cached = 0;
  spend.add(old);
  CHECK_THAT(spend_text(spend),
             Contains("agent  -      1      1000    0.0 %   40     -     -\n"));
  const auto json = spend_json(spend).at(0);
  CHECK_FALSE(json.contains("model"));
  CHECK_FALSE(json.contains("seconds"));
}

TEST_CASE("a replayed call has no tokens, cost or time of its own") {
  model_spend spend;
  auto replayed = record_of("agent", "small");
  replayed.usage = {};
  replayed.cost = 0;
  replayed.asked_ms = 0;
  replayed.duration_ms = 0;
  spend.add(replayed);
  CHECK_THAT(spend_text(spend),
             Contains("agent  small  1      -       -       -      -     -\n"));
}

TEST_CASE("replies that ended at their limit of tokens are counted") {
  model_spend spend;
  auto cut = record_of("agent", "small");
  std::get<chat_reply>(cut.answer->reply).finish = chat_finish::length;
  spend.add(cut);
  spend.add(record_of("agent", "small"));
  CHECK(spend.total().cut == 1);
  CHECK_THAT(spend_text(spend), Contains("1 reply ended at the limit"));
}

TEST_CASE("a run that asked no model has no table") {
  CHECK(spend_text({}).empty());
  CHECK(spend_json({}).empty());
}
