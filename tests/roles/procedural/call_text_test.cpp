#include "base/rng.hpp"
#include "roles/procedural/call_text.hpp"

#include <catch2/catch.hpp>

using namespace brewery;

namespace {

json random_value(rng& draw, int depth) {
  switch (draw.below(depth > 2 ? 5 : 7)) {
  case 0:
    return nullptr;
  case 1:
    return draw.below(2) == 1;
  case 2:
    return static_cast<std::int64_t>(draw.next());
  case 3:
    return draw.uniform() * 1e6;
  case 4: {
    std::string text;
    const std::string_view signs = "ab,()=<>\"'`\\[]{} \n\t.";
    for (auto n = draw.below(9); n > 0; --n)
      text += signs[draw.below(signs.size())];
    return text;
  }
  case 5: {
    auto list = json::array();
    for (auto n = draw.below(3); n > 0; --n)
      list.push_back(random_value(draw, depth + 1));
    return list;
  }
  default: {
    auto object = json::object();
    for (auto n = draw.below(3); n > 0; --n)
      object["k" + std::to_string(n)] = random_value(draw, depth + 1);
    return object;
  }
  }
}

} // namespace

TEST_CASE("a call is written as documents show it") {
  CHECK(to_text(call_text{"check_sim_status", {}}) == "check_sim_status()");
  CHECK(to_text(call_text{"refuel_data",
                          {{"customer_id", "customer_id", {}},
                           {"gb_amount", "", 2.0},
                           {"note", "", "say \"hi\""}}})
        == R"(refuel_data(customer_id=<customer_id>, gb_amount=2.0, )"
           R"(note="say \"hi\""))");
}

TEST_CASE("any call is read back as it was written") {
  const auto seed = GENERATE(range(1, 201));
  INFO("seed " << seed);
  rng draw{rng_key(static_cast<std::uint64_t>(seed), "call")};
  call_text call{"tool_" + std::to_string(draw.below(100)), {}};
  for (auto n = draw.below(4); n > 0; --n) {
    call_argument argument{"p" + std::to_string(n), {}, {}};
    if (draw.below(3) == 0)
      argument.placeholder = "line_id";
    else
      argument.value = random_value(draw, 0);
    call.arguments.push_back(std::move(argument));
  }
  const auto text = to_text(call);
  INFO(text);
  const auto read = parse_call(text);
  REQUIRE(read);
  CHECK(to_text(*read) == text);
  REQUIRE(read->arguments.size() == call.arguments.size());
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    CHECK(read->arguments[i].name == call.arguments[i].name);
    CHECK(read->arguments[i].placeholder == call.arguments[i].placeholder);
    CHECK(read->arguments[i].value == call.arguments[i].value);
  }
  std::size_t used = 0;
  REQUIRE(parse_call(text + "` and more (x=1)", used));
  CHECK(used == text.size());
}

TEST_CASE("what is no call is refused") {
  for (const auto* text :
       {"", "f", "f(", "f(a", "f(a=", "f(a=1", "(a=1)", "f (a=1)", "f(a=b)",
        "f(=1)", "f(a=\"x)", "f(a=[1)", "f(a=1) ", "f(a=<>)", "1+f()", "f(a:1)",
        "f(,)", "f(a=1])", "f(a=])"}) {
    INFO(text);
    CHECK_FALSE(parse_call(text));
  }
}

TEST_CASE("random text never breaks the reader of calls") {
  const std::uint64_t seed = 11;
  INFO("seed " << seed);
  rng draw{rng_key(seed, "hostile-call")};
  const std::string_view signs = "fa=<>,()[]{}\"\\ 1.`";
  int calls = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::string text = draw.below(2) == 0 ? "f(" : "";
    for (auto n = draw.below(16); n > 0; --n)
      text += signs[draw.below(signs.size())];
    std::size_t used = 0;
    if (const auto call = parse_call(text, used)) {
      ++calls;
      REQUIRE(used <= text.size());
      REQUIRE(parse_call(to_text(*call)));
    }
    if (const auto quoted = parse_quoted(text, used)) REQUIRE(used >= 2);
  }
  CHECK(calls > 0);
}

TEST_CASE("a value nested beyond all measure makes no call and no crash") {
  const std::string deep =
      "f(a=" + std::string(200'000, '[') + std::string(200'000, ']') + ")";
  CHECK_FALSE(parse_call(deep));
}

TEST_CASE("status lines are quoted so that any byte survives") {
  const std::string text = "say \"hi\" \\ to\nthem `now` \x01 \xc3\xa9";
  const auto quoted = json_quoted(text);
  CHECK(quoted.find('\n') == std::string::npos);
  std::size_t used = 0;
  CHECK(parse_quoted(quoted + ". Then", used) == text);
  CHECK(used == quoted.size());
  CHECK_FALSE(parse_quoted("\"open", used));
  CHECK_FALSE(parse_quoted("\"open\\\"", used));
  CHECK_FALSE(parse_quoted("plain", used));
  CHECK_FALSE(parse_quoted("", used));
  // Bytes that are no UTF-8 are replaced, never thrown about.
  CHECK(parse_quoted(json_quoted("a\xff z"), used));
}
