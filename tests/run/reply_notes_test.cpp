#include "llm/accounts/reply_notes.hpp"
#include "run/results.hpp"
#include "tests/fixtures/text.hpp"

#include <catch2/catch.hpp>

using namespace brewery;

namespace {

reply_note note(std::string_view role, std::string_view what,
                std::uint32_t count, std::string reason) {
  return {std::string{role}, std::string{what}, count, std::move(reason)};
}

const job_notes notes{{{"b"}, {note("judge", reply_trouble::cut, 2, "second")}},
                      {{"a"},
                       {note("judge", reply_trouble::cut, 1, "first"),
                        note("agent", reply_trouble::words, 1, "Done.")}}};

} // namespace

TEST_CASE("rollouts and integrations have notes, other results none") {
  const std::vector some{note("judge", reply_trouble::cut, 1, "r")};
  rollout_result rollout;
  rollout.notes = some;
  CHECK(notes_of(make_result(rollout)) == some);
  integrate_result made;
  made.notes = some;
  CHECK(notes_of(make_result(made)) == some);
  CHECK(notes_of(make_result(embed_result{})).empty());
  CHECK(notes_of({{"j"}, "quarantined: x", {}}).empty());
}

TEST_CASE("notes add up by role and kind, with the reason of the first job") {
  const auto totals = total_of(notes);
  REQUIRE(totals.size() == 2);
  CHECK(totals[0].sum == note("agent", reply_trouble::words, 1, "Done."));
  CHECK(totals[0].jobs == 1);
  CHECK(totals[1].sum == note("judge", reply_trouble::cut, 3, "first"));
  CHECK(totals[1].jobs == 2);
  CHECK(total_of({}).empty());
}

TEST_CASE("a total names role, model, server, number and first reason") {
  const auto totals = total_of(notes);
  CHECK(note_text(totals[1], {{"judge", "model 'large' at server 'here'"}})
        == "judge (model 'large' at server 'here'): 3 replies cut off in 2 "
           "jobs; the first: first");
  CHECK(note_text(totals[0], {})
        == "agent: 1 reply of words instead of a call in 1 job; the first: "
           "Done.");
  CHECK(note_text(note("integrator", reply_trouble::lost, 2, "Fan lacks x"))
        == "integrator: 2 documents without some facts or insights; the "
           "first: Fan lacks x");
  CHECK(note_text(note("user", "of\nthe future", 2, "a\nb"))
        == "user: 2 of the future; the first: a b");
}

TEST_CASE("the closing table and its JSON say what was lost, if anything was") {
  run_summary summary;
  CHECK_FALSE(contains(summary_text(summary), "replies"));
  CHECK_FALSE(summary_json(summary).contains("replies"));
  CHECK_FALSE(summary_json(summary).contains("dropped_concepts"));
  summary.notes = total_of(notes);
  summary.asked = {{"judge", "model 'large' at server 'here'"}};
  search_outcome search;
  search.strategy = "mcts";
  search.dropped = {{{3}, "fan\x1b", "it was cut"}};
  summary.searches = {search};
  const auto text = summary_text(summary);
  CHECK(contains(text, "\nreplies    agent: 1 reply of words"));
  CHECK(
      contains(text, "\n           judge (model 'large' at server 'here'): "));
  CHECK(contains(text, "mcts: the concept \"fan"));
  CHECK(contains(text, "dropped out without a first document: it was cut\n"));
  CHECK_FALSE(contains(text, "\x1b"));
  const auto as_json = summary_json(summary);
  CHECK(as_json["replies"][1]
        == nlohmann::ordered_json{{"role", "judge"},
                                  {"what", "cut"},
                                  {"count", 3},
                                  {"jobs", 2},
                                  {"reason", "first"}});
  CHECK(as_json["dropped_concepts"][0]["strategy"] == "mcts");
  CHECK(as_json["dropped_concepts"][0]["reason"] == "it was cut");
}
