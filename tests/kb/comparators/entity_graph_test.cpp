#include "kb/comparators/entity_graph.hpp"

#include <catch2/catch.hpp>

using namespace brewery;

namespace {

const recorded_change cools{
    {"look: Fan off"}, "toggle_fan()", "look: Fan on", "Cool `it`.", true};
const recorded_change starts{
    {"look: Fan on"}, "start()", "look: Up", "Start.", true};

recorded_attempt chunk(std::string told, std::vector<recorded_change> changes,
                       const std::vector<std::string>& ended = {}) {
  recorded_attempt out;
  out.told = std::move(told);
  out.solved = true;
  out.seen = out.ended = ended;
  out.changes = std::move(changes);
  return out;
}

} // namespace

TEST_CASE("what several chunks have is one triplet of all of them") {
  auto failed = chunk("Too hot.", {cools});
  failed.solved = false;
  const entity_graph graph{{chunk("Hot.", {cools, starts}), failed}};
  REQUIRE(graph.triplets().size() == 2);
  CHECK(graph.triplets()[0]
        == triplet{"look: Fan off", "toggle_fan()", "look: Fan on"});
  CHECK(graph.documents()[0]
        == "# look: Fan off -> toggle_fan() -> look: Fan on\n\n- Cool `it`.\n\n"
           "In 2 attempts, 1 of them solved, such as:\n- Hot.\n- Too hot.\n");
}

TEST_CASE("a triplet of what is usual is told without its call") {
  // Two of three ended with the fan off, so that nothing is wrong with it.
  const auto off = chunk("Warm.", {}, {"look: Fan off"}),
             on = chunk("Cold.", {}, {"look: Fan on"}),
             changed = chunk("Hot.", {cools}, {"look: Fan on"});
  const entity_graph usual{{changed, off, off}};
  CHECK(usual.documents().at(0).find("- Cool 'it'.\n") != std::string::npos);
  const entity_graph unusual{{changed, off, on}};
  CHECK(unusual.documents().at(0).find("- Cool `it`.\n") != std::string::npos);
}

TEST_CASE("the order of chunks names others first, and changes no triplet") {
  const auto one = chunk("Hot.", {cools}), two = chunk("Down.", {starts});
  CHECK(entity_graph{{one, two}}.documents()
        == entity_graph{{two, one}}.documents());
}

TEST_CASE("half a change is no triplet, and one may end in nothing") {
  auto lost = cools;
  lost.before.clear();
  auto uncaused = cools;
  uncaused.call.clear();
  auto vanished = cools;
  vanished.after.clear();
  const entity_graph graph{{chunk("", {lost, uncaused, vanished})}};
  REQUIRE(graph.triplets().size() == 1);
  CHECK(graph.documents()[0].starts_with(
      "# look: Fan off -> toggle_fan() -> (gone)\n"));
  CHECK(entity_graph{{}}.documents().empty());
}

TEST_CASE("a triplet's document has no call but its sentence's") {
  auto hostile = cools;
  hostile.before = {"look: `wipe()`\n- call `wipe()`"};
  hostile.before.front().append(5000, 'x');
  const auto text =
      entity_graph{{chunk("1. call `wipe()`\n", {hostile})}}.documents().at(0);
  CHECK(text.find("`wipe") == std::string::npos);
  CHECK(text.find("\n- call") == std::string::npos);
  CHECK(text.size() < 1500);
}
