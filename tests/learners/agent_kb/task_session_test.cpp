/// Which experiences an attempt used, by what its agent was told and did.

#include "learners/agent_kb/task_session.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <memory>

using namespace brewery;

namespace {

/// Two experiences, of which the plan is made of the first and the advice of
/// the second. Answers every job of a session but its rollouts.
struct advised_session {
  std::shared_ptr<session_settings> settings =
      std::make_shared<session_settings>();
  std::unique_ptr<task_session> session;
  std::vector<wanted_job> asked;
  bool shows = true;                ///< rollouts are shown what they are given
  std::vector<std::string> methods; ///< of the rollouts so far
  std::vector<memory_job> steps;    ///< of the memory so far
  std::vector<std::size_t> counts;  ///< of documents, by rollout
  grade_report grade{};             ///< of the rollouts
  std::string shown{};              ///< by every tool

  explicit advised_session(bool says_why = true, bool oracle = false,
                           bool reason = true, bool refine = true) {
    settings->says_why = says_why;
    settings->oracle = oracle;
    settings->options.reason = reason;
    settings->options.refine = refine;
    settings->options.survey = false;
    settings->options.gate = 0;
    settings->documents = std::make_shared<document_store>();
    settings->search.embedder = "e";
    experience_base base{settings->options};
    const char* const calls[] = {"press", "turn"};
    for (std::size_t i = 0; i < 2; ++i) {
      candidate_experience one;
      one.content = {"T", {"p"}, {}, {std::string{"`"} + calls[i] + "()`"},
                     {},  "toy", 1,  {},
                     {}};
      one.hash = {calls[i]};
      one.facets[0] = {i == 0 ? 1.0 : 0.0, i == 0 ? 0.0 : 1.0};
      base.admit(std::move(one));
    }
    auto index = base.index();
    REQUIRE(index);
    settings->index = std::move(*index);
    for (const auto* item : base.in_order())
      settings->markdown.push_back(to_markdown(item->what.content));
    session = std::make_unique<task_session>(settings, session_kind::full,
                                             learner_task{{"t"}, "task", 0}, 0,
                                             1, true);
    asked = session->begin();
  }

  memory_result said(const memory_job& work) const {
    memory_result out;
    out.id = work.id;
    const bool plans = work.step == agent_kb_steps::refine;
    if (plans || work.step == agent_kb_steps::advise)
      out.texts = {{memory_texts::guidance, plans ? "plan" : "advice"},
                   {memory_texts::cites, plans ? "1" : "2"}};
    else
      out.texts = {{memory_texts::query, "q"}};
    return out;
  }

  /// Until the next rollout, which calls these tools for this reason.
  void play(const std::vector<std::string>& tools, const char* reason) {
    for (;;) {
      REQUIRE(asked.size() == 1);
      const auto work = asked.front().work;
      if (const auto* embed = std::get_if<embed_job>(&work.input)) {
        const std::vector<std::vector<double>> vectors(embed->texts.size(),
                                                       {0.7, 0.7});
        asked = session->on(make_result(embed_result{work.id, vectors}));
      } else if (const auto* memory = std::get_if<memory_job>(&work.input)) {
        steps.push_back(*memory);
        asked = session->on(make_result(said(*memory)));
      } else {
        rollout_result made;
        made.id = work.id;
        made.task = {"t"};
        for (const auto& tool : tools)
          made.steps.push_back(
              {"assistant", tool, "{}", shown, false, true, reason});
        made.grade = grade;
        const auto& rollout = std::get<rollout_job>(work.input);
        methods.push_back(rollout.method);
        counts.push_back(rollout.knowledge.size());
        CHECK(rollout.id == identity(rollout));
        made.retrievals = {{0, "task", {}}};
        for (const auto& given : rollout.knowledge)
          if (shows) made.retrievals[0].documents.push_back(given.hash);
        asked = session->on(make_result(std::move(made)));
        return;
      }
    }
  }

  std::vector<std::string> step_names() const {
    std::vector<std::string> out;
    for (const auto& one : steps)
      out.push_back(one.step);
    return out;
  }

  std::vector<std::string> used(std::size_t attempt) const {
    std::vector<std::string> out;
    for (const auto& hash : session->attempts().at(attempt).used)
      out.push_back(hash.value);
    std::sort(out.begin(), out.end());
    return out;
  }
};

using words = std::vector<std::string>;

} // namespace

TEST_CASE("a second attempt uses what it follows of the plan and the advice") {
  for (const auto& tools :
       {words{"press", "turn"}, words{"press"}, words{"turn"}}) {
    advised_session s;
    s.play({"press"}, "rule");
    s.play(tools, "rule");
    REQUIRE(s.session->over());
    CHECK(s.used(0) == words{"press"});
    CHECK(s.used(1) == tools);
  }
}

TEST_CASE("an agent that does not say why it acts used what it was told last") {
  // The reasons of a model are its own words.
  for (const auto* reason : {"", "I press it.", "rule"}) {
    advised_session s{false};
    s.play({"press"}, reason);
    s.play({"press", "turn"}, reason);
    CHECK(s.used(0) == words{"press"});
    CHECK(s.used(1) == words{"turn"});
  }
}

TEST_CASE("who explored by itself used nothing of what it was told") {
  advised_session s;
  s.play({"press"}, "explore");
  s.play({"press", "turn"}, "look");
  CHECK(s.used(0).empty());
  CHECK(s.used(1).empty());
}

TEST_CASE("nothing is credited that was not shown") {
  for (const bool says_why : {true, false}) {
    advised_session s{says_why};
    s.shows = false; // an old worker whose query finds nothing
    s.play({"press"}, "rule");
    s.play({"press", "turn"}, "rule");
    CHECK(s.used(0).empty());
    CHECK(s.used(1).empty());
  }
}

TEST_CASE("guidance is given to the attempt, which need not find it") {
  advised_session s;
  s.play({"press"}, "rule");
  s.play({"press"}, "rule");
  CHECK(s.methods == words(2, std::string{given_method}));
  s.settings->options.planning = false; // then there is none
  task_session bare{s.settings, session_kind::full, {{"t"}, "task", 0}, 0, 1,
                    true};
  const auto asked = bare.begin();
  CHECK(std::get<rollout_job>(asked.front().work.input).method.empty());
}

TEST_CASE("only a session with an oracle ends with what is solved") {
  for (const bool oracle : {true, false}) {
    advised_session s{true, oracle};
    s.grade = {1, {}};
    s.play({"press"}, "rule");
    CHECK(s.session->over() == oracle);
    if (!oracle) s.play({"press"}, "rule");
    CHECK(s.session->attempts().size() == (oracle ? 1 : 2));
  }
}

TEST_CASE("only the review of a session with an oracle is told a grade") {
  for (const bool oracle : {true, false}) {
    advised_session s{true, oracle};
    s.grade = {0.5, {{"the lamp is lit", false}}};
    s.play({"press"}, "rule");
    s.play({"press"}, "rule");
    for (const auto& step : s.steps)
      for (const auto& attempt : step.attempts)
        CHECK(attempt.grade.empty() != oracle);
    CHECK(s.session->attempts().size() == 2);
  }
}

TEST_CASE("without reason nobody condenses a task, nor a log") {
  advised_session s{true, false, false};
  s.shown = "Lamp: dark";
  s.play({"press"}, "rule");
  s.play({"press", "turn"}, "rule");
  REQUIRE(s.session->over());
  CHECK(s.step_names()
        == words{agent_kb_steps::refine, agent_kb_steps::refine});
  const auto searched = [&](std::size_t step) {
    return texts_of(s.steps[step].texts, memory_texts::query).front();
  };
  CHECK(searched(0) == "task");
  CHECK(searched(1) == "task\nLamp: dark");
}

TEST_CASE("without refine both attempts are given what was found as it is") {
  advised_session s{true, false, true, false};
  s.settings->options.gate = 0.8; // of a refinement, so of none
  s.play({"press"}, "rule");
  s.play({"press"}, "rule");
  REQUIRE(s.session->over());
  CHECK(s.step_names()
        == words{agent_kb_steps::reason, agent_kb_steps::review});
  CHECK(s.counts == std::vector<std::size_t>{2, 2});
  CHECK_FALSE(s.session->gated());
  CHECK(s.used(1) == words{"press"});
}
