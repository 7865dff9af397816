#include "base/text.hpp"
#include "roles/model/llm_integrator.hpp"
#include "tests/roles/scripted_model.hpp"

using namespace brewery;
using namespace brewery::test;

namespace {

counted_insight learned(const std::string& name, std::uint32_t count,
                        std::uint32_t succeeded = 0, bool fresh = false) {
  insight item;
  item.id = {name};
  item.topic = "fan";
  item.sentence = "About " + name + ".";
  counted_insight out;
  out.item = std::move(item);
  out.count = count;
  out.succeeded = succeeded;
  out.reward = static_cast<double>(succeeded) / count;
  out.fresh = fresh;
  return out;
}

integrate_job work_of(std::vector<counted_insight> insights) {
  integrate_job work;
  work.title = "Fan";
  work.insights = std::move(insights);
  work.id = identity(work, "");
  return work;
}

std::string reply_with(const std::string& points) {
  return "**When to use**\n" + points
         + "\n**Why to use it**\n- why\n\n### How to perform\n- how\n\n"
           "### Additional actions\n- more\n\n### Example\n- such\n";
}

/// One integration, what was asked, and what was counted.
struct written {
  explicit written(std::vector<std::string> replies,
                   const integrator_options& options = {})
      : options_(options) {
    std::vector<chat_reply> in_turn;
    for (auto& reply : replies)
      in_turn.push_back(says(std::move(reply)));
    model = replies_in_turn(std::move(in_turn));
  }

  result<integrate_result> of(const integrate_job& work,
                              const document* parent = nullptr) {
    const auto kit = kit_of(model);
    job_context context;
    auto made = llm_integrator{asker_of("integrator", kit),
                               document_parts("tau2-telecom"), options_}
                    .integrate(work, parent, context);
    counts = kit.tally->counts()["integrator"];
    notes = context.notes;
    return made;
  }

  [[nodiscard]] std::string asked() const {
    return all_text(model->request(0));
  }

  std::shared_ptr<scripted_model> model;
  role_counts counts;
  std::vector<reply_note> notes;

private:
  integrator_options options_;
};

std::vector<insight_id> cited_by(const integrate_result& made,
                                 const std::string& line) {
  std::uint32_t number = 0;
  for (const auto text : split(made.body, '\n')) {
    ++number;
    if (text != line) continue;
    for (const auto& entry : made.evidence)
      if (entry.line == number) return entry.insights;
  }
  return {};
}

const document parent_document =
    make_document("# Fan\n\n**When to use**\n\n- Fan is off.\n- Look first.\n");

integrate_job with_parent() {
  auto work = work_of(
      {learned("new", 9, 0, true), learned("often", 5, 5), learned("rare", 1)});
  work.parent = parent_document.hash;
  work.parent_evidence = {{5, {{"often"}, {"rare"}}}, {6, {{"earlier"}}}};
  return work;
}

} // namespace

TEST_CASE("an insight is shown with its outcome, its support and its newness") {
  written w{{reply_with("- p [i1]\n")}};
  REQUIRE(w.of(work_of({learned("weak", 1, 0), learned("strong", 4, 3),
                        learned("young", 2, 2, true)})));
  const auto asked = w.asked();
  CHECK(contains(
      asked, "[i1] (4 rollouts, 3 succeeded, mean reward 0.75) About strong."));
  CHECK(contains(
      asked,
      "[i2] (2 rollouts, 2 succeeded, mean reward 1.00, NEW) About young."));
  CHECK(contains(asked,
                 "[i3] (1 rollout, 0 succeeded, mean reward 0.00) About weak"));
}

TEST_CASE("the parent is shown with the numbers of what its lines rest on") {
  written w{{reply_with("- p [i1]\n")}};
  REQUIRE(w.of(with_parent(), &parent_document));
  CHECK(contains(w.asked(), "- Fan is off. [i2, i3]\n- Look first. [i4]\n"));
  CHECK_FALSE(contains(w.asked(), "[i4] (")); // it has no text any more
}

TEST_CASE("a point of the parent keeps its evidence, by number or by words") {
  written w{
      {reply_with("- The fan is off or slow. [i2, i3]\n"
                  "- look  first.\n- Or so. [i4]\n- fan is off. [i1]\n")}};
  const auto made = w.of(with_parent(), &parent_document);
  if (!made) FAIL(made.error().message);
  using ids = std::vector<insight_id>;
  CHECK(cited_by(*made, "- The fan is off or slow.")
        == ids{{"often"}, {"rare"}});
  CHECK(cited_by(*made, "- look  first.") == ids{{"earlier"}});
  CHECK(cited_by(*made, "- Or so.") == ids{{"earlier"}});
  CHECK(cited_by(*made, "- fan is off.") == ids{{"new"}, {"often"}, {"rare"}});
}

TEST_CASE("a number that neither the list nor the parent has is refused") {
  written w{{reply_with("- p [i5]\n")}};
  const auto made = w.of(with_parent(), &parent_document);
  REQUIRE_FALSE(made);
  CHECK(contains(made.error().message, "[i5] names no insight; there are 4"));
}

TEST_CASE("score, missed checks and neighbours are shown where there are any") {
  auto work = with_parent();
  work.parent_score = {8, 0.65, 0.5, 0.8};
  work.missed = {{"light is on", 1, 4}};
  work.neighbours = {"Bill payment", "SIM status"};
  written w{{reply_with("- p [i1]\n")}};
  REQUIRE(w.of(work, &parent_document));
  CHECK(contains(w.asked(), "8 rollouts with it on tasks that are not shown: "
                            "mean reward 0.50"));
  CHECK(contains(w.asked(), "finds it 0.80; both together 0.65."));
  CHECK(contains(w.asked(), "- missed in 3 of 4: light is on\n"));
  CHECK(contains(w.asked(), "- Bill payment\n- SIM status\n"));
  written plain{{reply_with("- p [i1]\n")}};
  REQUIRE(plain.of(work_of({learned("one", 1)})));
  for (const auto* absent : {"document as it stands did", "missed lately",
                             "Other documents of the handbook"})
    CHECK_FALSE(contains(plain.asked(), absent));
}

TEST_CASE("of too many insights the best supported and the new are told") {
  std::vector<counted_insight> insights{learned("strong", 9),
                                        learned("good", 8), learned("fair", 7),
                                        learned("weak", 2)};
  for (const auto* name : {"young", "younger", "youngest"})
    insights.push_back(learned(name, 1, 0, true));
  const auto told = [&](std::uint32_t most) {
    written w{{reply_with("- p [i1]\n")}, {.max_insights = most}};
    REQUIRE(w.of(work_of(insights)));
    CHECK(w.counts.left_out == (most > 0 && most < insights.size() ? 1 : 0));
    std::vector<std::string> out;
    for (const auto& counted : insights)
      if (contains(w.asked(), "About " + counted.item->id.value + "."))
        out.push_back(counted.item->id.value);
    return out;
  };
  using names = std::vector<std::string>;
  CHECK(told(0).size() == 7);
  CHECK(told(7).size() == 7);
  CHECK(told(4) == names{"strong", "good", "young", "younger"});
  CHECK(told(3) == names{"strong", "good", "young"});
  CHECK(told(1) == names{"strong"});
}

TEST_CASE("what was left out is still the evidence of the parent's points") {
  written w{{reply_with("- Fan is off.\n")}, {.max_insights = 1}};
  const auto made = w.of(with_parent(), &parent_document);
  REQUIRE(made);
  CHECK(cited_by(*made, "- Fan is off.")
        == std::vector<insight_id>{{"often"}, {"rare"}});
}

TEST_CASE("a document that is too long is asked for once more") {
  const auto wordy = reply_with("- " + std::string(1000, 'x') + " [i1]\n");
  written w{{wordy, reply_with("- short [i1]\n")},
            {.max_document_tokens = 100}};
  const auto made = w.of(work_of({learned("one", 1)}));
  REQUIRE(made);
  CHECK(contains(made->body, "- short"));
  CHECK(contains(w.asked(), "may have at most 100 tokens, which are about 400 "
                            "characters"));
  CHECK(contains(all_text(w.model->request(1)), "at most 100 are allowed"));
  CHECK(w.counts.repaired == 1);
  CHECK(w.counts.shortened == 0);
}

TEST_CASE("a document that stays too long loses its least supported points") {
  const auto filler = std::string(120, 'x');
  const auto wordy = reply_with("- strong " + filler + " [i1]\n- weak " + filler
                                + " [i2]\n- bare " + filler + "\n");
  written w{{wordy}, {.max_document_tokens = 80}};
  const auto made = w.of(work_of({learned("strong", 4), learned("weak", 1)}));
  if (!made) FAIL(made.error().message);
  CHECK(made->body.size() <= 320);
  CHECK(contains(made->body, "- strong"));
  CHECK_FALSE(contains(made->body, "- weak"));
  CHECK_FALSE(contains(made->body, "- bare"));
  CHECK(w.counts.shortened == 1);
  CHECK(w.counts.rejected == 0);
  CHECK(w.model->calls.size() == 2);
}

TEST_CASE("support counts for insights that the prompt has no room for") {
  const auto filler = std::string(110, 'x');
  const auto wordy =
      reply_with("- Fan is off. " + filler + "\n- young " + filler + " [i2]\n");
  written w{{wordy}, {.max_insights = 2, .max_document_tokens = 75}};
  auto work = work_of(
      {learned("old", 80), learned("older", 90), learned("young", 1, 0, true)});
  const auto parent = make_document("# Fan\n\n**When to use**\n\n- Fan is off. "
                                    + filler + "\n");
  work.parent = parent.hash;
  work.parent_evidence = {{5, {{"old"}}}};
  const auto made = w.of(work, &parent);
  if (!made) FAIL(made.error().message);
  CHECK(contains(made->body, "- Fan is off."));
  CHECK_FALSE(contains(made->body, "- young"));
}

TEST_CASE("a document whose last points are too long is refused") {
  written w{{reply_with("- " + std::string(1000, 'x') + "\n")},
            {.max_document_tokens = 100}};
  const auto made = w.of(work_of({learned("one", 1)}));
  REQUIRE_FALSE(made);
  CHECK(contains(made.error().message, "at most 100 are allowed"));
  CHECK(w.counts.rejected == 1);
}

TEST_CASE("without a limit a document may be long, and none is told") {
  written w{{reply_with("- " + std::string(20'000, 'x') + "\n")},
            {.max_document_tokens = 0}};
  CHECK(w.of(work_of({learned("one", 1)})));
  CHECK_FALSE(contains(w.asked(), "may have at most"));
}

namespace {

const document fact_document = make_document(
    "# Fan\n\n**When to use**\n\n- `turn_on` within 30 days.\n- Status "
    "\"stuck\".\n");

integrate_job with_facts() {
  auto work = work_of({learned("first", 5), learned("second", 1)});
  work.parent = fact_document.hash;
  work.parent_evidence = {{5, {{"first"}}}, {6, {{"second"}}}};
  return work;
}

const std::string whole_reply =
    reply_with("- If stuck, `turn_on`, at most 30 days. [i1, i2]\n");
const std::string lossy_reply = reply_with("- Just `turn_on`. [i1, i2]\n");

} // namespace

TEST_CASE("a document with all facts of its parent is taken at once") {
  written w{{whole_reply}};
  REQUIRE(w.of(with_facts(), &fact_document));
  CHECK(w.model->calls.size() == 1);
  CHECK(w.counts.repaired == 0);
  CHECK(w.counts.lost == 0);
  CHECK(contains(w.asked(), "Dropped: "));
}

TEST_CASE("a document that loses facts silently is asked for once more") {
  written w{{lossy_reply, whole_reply}};
  const auto made = w.of(with_facts(), &fact_document);
  REQUIRE(made);
  CHECK(contains(made->body, "30 days"));
  CHECK(contains(all_text(w.model->request(1)),
                 "the document lacks facts of the one before it: \"stuck\", 30 "
                 "days; put them back, or name them in a line 'Dropped: ...'"));
  CHECK(w.counts.repaired == 1);
  CHECK(w.counts.lost == 0);
}

TEST_CASE("what the second document still lacks is counted, and it is taken") {
  written w{{lossy_reply}};
  const auto made = w.of(with_facts(), &fact_document);
  REQUIRE(made);
  CHECK(w.model->calls.size() == 2);
  CHECK(w.counts.repaired == 1);
  CHECK(w.counts.rejected == 0);
  CHECK(w.counts.lost == 1);
  REQUIRE(w.notes.size() == 2);
  CHECK(w.notes[1].what == reply_trouble::lost);
  CHECK(w.notes[1].reason
        == "Fan lacks of the document before it \"stuck\" and 1 more");
}

TEST_CASE("what a reply names as dropped is not lost, nor in the document") {
  for (const auto* dropped :
       {"Dropped: \"stuck\", 30 days", "**Dropped:** 30-day limit; stuck",
        "Dropped: i1, i2"}) {
    written w{{lossy_reply + "\n" + dropped + "\n"}};
    const auto made = w.of(with_facts(), &fact_document);
    if (!made) FAIL(made.error().message);
    CHECK(w.model->calls.size() == 1);
    CHECK(w.counts.lost == 0);
    CHECK_FALSE(contains(lower(made->body), "dropped"));
  }
  written w{{lossy_reply + "\nDropped: [i2]\n"}};
  REQUIRE(w.of(with_facts(), &fact_document));
  CHECK(contains(all_text(w.model->request(1)), "before it: 30 days; put"));
}

TEST_CASE("a reply is asked for again for one reason only") {
  written bad{{"No.", lossy_reply, whole_reply}};
  REQUIRE(bad.of(with_facts(), &fact_document));
  CHECK(bad.model->calls.size() == 2);
  CHECK(bad.counts.lost == 1);
  const auto wordy = reply_with("- " + std::string(1000, 'x') + " [i1, i2]\n");
  written wide{{wordy, lossy_reply}, {.max_document_tokens = 100}};
  REQUIRE(wide.of(with_facts(), &fact_document));
  CHECK(wide.model->calls.size() == 2);
  CHECK(contains(all_text(wide.model->request(1)), "at most 100 are allowed"));
  CHECK(wide.counts.lost == 1);
}

TEST_CASE("what the program cuts off is not lost by the model") {
  const auto filler = "- " + std::string(120, 'x');
  const auto wordy =
      reply_with("- strong " + filler + " [i1, i2]\n" + filler
                 + "\n- stuck, `turn_on`, 30 days " + filler + "\n");
  written w{{wordy}, {.max_document_tokens = 80}};
  const auto made = w.of(with_facts(), &fact_document);
  if (!made) FAIL(made.error().message);
  CHECK_FALSE(contains(made->body, "turn_on"));
  CHECK(w.model->calls.size() == 2);
  CHECK(w.counts.shortened == 1);
  CHECK(w.counts.lost == 0);
}

TEST_CASE("a document that lacks facts is better than no second one") {
  written w{{lossy_reply, "Sorry."}};
  const auto made = w.of(with_facts(), &fact_document);
  if (!made) FAIL(made.error().message);
  CHECK(contains(made->body, "Just `turn_on`"));
  CHECK(w.counts.rejected == 0);
  CHECK(w.counts.lost == 1);
  for (const auto code :
       {ec::context_too_long, ec::refused_content, ec::over_budget}) {
    const auto model = std::make_shared<scripted_model>(
        [&](const model_call& call) -> result<model_answer> {
          if (call.number > 0) return error{code, "no"};
          return answered(says(lossy_reply));
        });
    job_context context;
    const auto one = llm_integrator{
        asker_of("integrator", kit_of(model)),
        document_parts("tau2-telecom"),
        {}}.integrate(with_facts(), &fact_document, context);
    // Who raises the budget and resumes gets the second document.
    CHECK(one.has_value() == (code != ec::over_budget));
  }
}

TEST_CASE("insights that are in no point are counted, not asked for") {
  written w{{reply_with("- p [i2]\n")}};
  REQUIRE(w.of(
      work_of({learned("one", 3), learned("two", 2), learned("three", 1)})));
  CHECK(w.model->calls.size() == 1);
  CHECK(w.counts.lost == 1);
  REQUIRE(w.notes.size() == 1);
  CHECK(w.notes[0].reason
        == "Fan has 2 of 3 insights in no point, the first: About one.");
  written told{{reply_with("- p [i2]\n") + "Dropped: i1, i3"}};
  REQUIRE(told.of(
      work_of({learned("one", 3), learned("two", 2), learned("three", 1)})));
  CHECK(told.counts.lost == 0);
}

TEST_CASE("without the check nothing is looked for, told or taken out") {
  written w{{lossy_reply + "\nDropped: 30 days\n"}, {.keep_facts = false}};
  const auto made = w.of(with_facts(), &fact_document);
  REQUIRE(made);
  CHECK(w.model->calls.size() == 1);
  CHECK(w.notes.empty());
  CHECK(contains(made->body, "Dropped: 30 days"));
  CHECK_FALSE(contains(w.asked(), "Dropped: "));
}
