/// The agent without a language model learns on a desktop of the tests: from
/// graded attempts to a document, and with it on tasks that it has not seen.

#include "roles/desktop/procedural/desktop_integrator.hpp"
#include "roles/desktop/procedural/desktop_policy.hpp"
#include "roles/desktop/procedural/desktop_reflector.hpp"
#include "roles/desktop/procedural/moves.hpp"
#include "roles/desktop/procedural/recipes.hpp"
#include "roles/make_roles.hpp"
#include "tests/fixtures/text.hpp"
#include "tests/roles/desktop/fake_desktop.hpp"

#include <map>

using namespace brewery;
using namespace brewery::test;
using namespace brewery::desktop;

namespace {

using kind = fake_desktop::item::kind;

struct desktop_case {
  std::string instruction, wanted;
};

fake_desktop desktop_for(const desktop_case& task) {
  return {{{"View", "Ruler"},
           {"View", "Grid"},
           {"View", "Scrollbar"},
           {"View", "Sidebar"},
           {"Insert", "Comment"},
           {"Insert", "Header"},
           {"File", "Title", kind::dialog},
           {"File", "Author", kind::dialog}},
          task.wanted};
}

const std::vector<desktop_case> seen_tasks{
    {"Please turn on the ruler.", "Ruler on"},
    {"Turn on the grid of the page.", "Grid on"},
    {"Set the title to \"My report\".", "Title=My report"},
    {"Set the author to \"Jo Doe\".", "Author=Jo Doe"},
    {"Translate the page into Klingon.", "fail"}};
const std::vector<desktop_case> sealed_tasks{
    {"Could you turn on the scrollbar?", "Scrollbar on"},
    {"I want you to turn on the sidebar.", "Sidebar on"},
    {"Turn on the header.", "Header on"},
    {"The title must be set to \"Minutes\".", "Title=Minutes"},
    {"Translate the title into Klingon.", "fail"}};

agent_options exploring() {
  agent_options out;
  out.max_calls = 15;
  out.explore_writes = 5;
  return out;
}

struct played_task {
  grade_report grade;
  std::vector<trajectory_step> steps;
};

played_task play(const desktop_case& task, const lines& documents,
                 std::uint64_t key) {
  const procedural_desktop_agent agent{exploring()};
  auto env = desktop_for(task);
  retrieval_session retrieval{library_of(documents), 3};
  const task_info info{task_id{task.wanted}, task.instruction};
  auto got = agent.attempt(info, env, retrieval, key, any_job());
  if (!got) FAIL(got.error().message);
  return {*env.grade(), std::move(got->steps)};
}

/// The mean reward of the sealed tasks, over many draws.
double sealed_reward(const lines& documents) {
  double sum = 0;
  constexpr std::uint64_t trials = 20;
  for (const auto& task : sealed_tasks)
    for (std::uint64_t trial = 0; trial < trials; ++trial)
      sum += play(task, documents, rng_key(9, task.wanted, trial)).grade.reward;
  return sum / (trials * static_cast<double>(sealed_tasks.size()));
}

/// What many attempts at the seen tasks teach, as an integrator is told it.
std::vector<counted_insight> studied(std::uint64_t trials) {
  std::map<insight_id, counted_insight> out;
  for (const auto& task : seen_tasks)
    for (std::uint64_t trial = 0; trial < trials; ++trial) {
      const auto played = play(task, {}, rng_key(8, task.wanted, trial));
      const task_info info{task_id{task.wanted}, task.instruction};
      const graded_attempt graded{info, played.steps, played.grade};
      const auto learned =
          procedural_desktop_reflector{}.reflect(graded, {}, any_job());
      REQUIRE(learned);
      for (const auto& item : *learned) {
        auto& counted = out[item.id];
        counted.item = item;
        ++counted.count;
        counted.tasks = {{info.id, counted.count}};
      }
    }
  std::vector<counted_insight> all;
  for (auto& [id, counted] : out)
    all.push_back(std::move(counted));
  return all;
}

integrate_job job_of(std::vector<counted_insight> insights) {
  integrate_job job;
  job.id = job_id{"i"};
  job.title = "tasks in editor";
  job.insights = std::move(insights);
  return job;
}

counted_insight moves_made(const std::string& words, const lines& moves,
                           bool met, std::uint32_t count = 1) {
  insight item;
  item.fact.kind = moves_fact;
  item.fact.before = lines{"application: a"};
  item.fact.actions = moves;
  lines context;
  for (const auto word : split(words, ' '))
    context.emplace_back(word);
  item.fact.context = context;
  item.fact.met = met;
  item.sentence = words;
  item.id = identity(item);
  return {item, count, {{task_id{words}, count}}, {}};
}

} // namespace

TEST_CASE("an instruction has telling words and quoted texts") {
  const auto task =
      terms_of("Please rename \"old notes.txt\" to 'x', and don't "
               "touch report.odt.");
  CHECK(task.words.contains("rename"));
  CHECK_FALSE(task.words.contains("please"));
  CHECK(task.texts == lines{"old notes.txt", "x", "report.odt"});
  CHECK(placeholder_of(task, "x") == "text 2");
  CHECK(filled(task, "text 3") == "report.odt");
  CHECK(filled(task, "text 4").empty());
  CHECK(filled(task, "text 0").empty());
  const auto rulers = terms_of("turn on the rulers");
  CHECK(likeness_to(rulers, "Ruler...").share == 1.0);
  CHECK(likeness_to(rulers, "Vertical Ruler").share == 0.5);
  CHECK(likeness_to(task, "").share == 0);
  const auto lists = terms_of("make it an ordered list, and save it");
  CHECK(likeness_to(lists, "Ordered List").score
        > likeness_to(lists, "No List").score);
  CHECK(likeness_to(lists, "Save All").share == 0); // a key does it
  CHECK(usual_key_for("save") == "ctrl+s");
  CHECK(usual_key_for("list").empty());
}

TEST_CASE("a move on what the task names is the same move in other tasks") {
  const auto task = terms_of("Set the title to \"Jo\"");
  CHECK(to_text(generalised(press_move("menu-item Title"), task))
        == "press(named=<menu-item>)");
  CHECK(to_text(generalised(press_move("menu File"), task))
        == "press(element=\"menu File\")");
  CHECK(to_text(generalised(type_move("Jo"), task)) == "type(text=<text 1>)");
  CHECK(to_text(generalised(type_move("Al"), task)) == "type(text=\"Al\")");
  for (const auto& move :
       {press_move("a \"b\""), type_move("\n"), key_move("ctrl+s"),
        end_move(true), end_move(false)}) {
    const auto read = parse_call(to_text(move));
    REQUIRE(read);
    CHECK(to_text(*read) == to_text(move));
  }
}

TEST_CASE("recipes are for the words that tell their tasks from others") {
  brewery::rng draw{1};
  const lines way{"press(named=<check-menu-item>)", "done()"};
  const lines dialog{"press(named=<menu-item>)", "type(text=<text 1>)",
                     "done()"};
  const std::vector<counted_insight> told{
      moves_made("page ruler turn", way, true, 3),
      moves_made("grid page turn", way, true, 2),
      moves_made("grid page turn", {"press(element=\"menu File\")", "done()"},
                 false),
      moves_made("grid page turn",
                 {"press(element=\"menu File\")",
                  "press(named=<check-menu-item>)", "done()"},
                 true),
      moves_made("page set title", dialog, true),
      moves_made("page set title", {"fail()"}, false, 2),
      moves_made("klingon page translate", {"fail()"}, true)};
  const auto found = find_recipes(told_insights{told}, {}, draw);
  REQUIRE(found.size() == 3);
  CHECK(found[0].moves == way);
  CHECK(found[0].words == lines{"page", "turn"});
  CHECK(found[0].met == 5);
  CHECK(found[0].tasks == 2);
  // Giving up met one task, and missed those of other words.
  CHECK(found[1].moves == lines{"fail()"});
  CHECK(found[1].words == lines{"klingon", "translate"});
  CHECK(found[1].missed == 0);
  CHECK(found[2].moves == dialog);
  CHECK(found[2].words == lines{"set", "title"});
  // What missed more often than it met is no recipe.
  auto doubtful = told;
  doubtful.push_back(
      moves_made("klingon page translate", {"fail()"}, false, 2));
  CHECK(find_recipes(told_insights{doubtful}, {}, draw).size() == 2);
}

TEST_CASE("what was learned helps on tasks that were not seen") {
  const auto told = studied(40);
  const procedural_desktop_integrator integrator{0};
  const auto made = integrator.integrate(job_of(told), nullptr, any_job());
  REQUIRE(made);
  INFO(made->body);
  CHECK(contains(made->body, "call `press(named=<check-menu-item>)`, then "
                             "`done()`."));
  std::size_t from = 0;
  for (const std::string part :
       {"# tasks in editor", "**When to use**", "### How to perform",
        "### Additional actions", "### Example"}) {
    from = made->body.find(part, from);
    REQUIRE(from != std::string::npos);
  }
  CHECK_FALSE(made->evidence.empty());
  const auto without = sealed_reward({}), with = sealed_reward({made->body});
  INFO(without << " -> " << with);
  CHECK(without < 0.75);
  CHECK(with > 0.95);
}

TEST_CASE("drafts of a document differ by their draw, and repeat") {
  const auto told = studied(10);
  const procedural_desktop_integrator integrator{0};
  std::set<std::string> bodies;
  auto job = job_of(told);
  job.temperature = 0.7;
  for (std::uint32_t draw = 0; draw < 8; ++draw) {
    job.draw = draw;
    const auto once = integrator.integrate(job, nullptr, any_job());
    const auto twice = integrator.integrate(job, nullptr, any_job());
    REQUIRE(once);
    CHECK(once->body == twice->body);
    bodies.insert(once->body);
  }
  CHECK(bodies.size() > 1);
}

TEST_CASE("nothing learned is no document, and other places stay") {
  const procedural_desktop_integrator integrator{0};
  CHECK(integrator.integrate(job_of({}), nullptr, any_job())->body.empty());
  const auto parent = make_document(
      "# T\n\n1. When `screen()` shows \"application: b\" and the task says "
      "\"x\": call `fail()`.\n2. When `screen()` shows \"application: a\": "
      "call "
      "`fail()`.\n");
  const auto made = integrator.integrate(
      job_of({moves_made("y z", {"done()"}, true)}), &parent, any_job());
  CHECK(contains(made->body, "\"application: b\" and the task says \"x\""));
  CHECK_FALSE(contains(made->body, "\"application: a\": call `fail()`"));
}

TEST_CASE("the procedural roles of a desktop are made for OSWorld alone") {
  const auto there = make_roles({}, "osworld", nullptr);
  const auto elsewhere = make_roles({}, "toy", nullptr);
  REQUIRE(there);
  REQUIRE(elsewhere);
  CHECK(contains(there->fingerprint, "procedural-desktop/3"));
  CHECK_FALSE(contains(elsewhere->fingerprint, "desktop"));
}

TEST_CASE("without a tree the agent says what it needs") {
  auto env = desktop_for(seen_tasks[0]);
  env.with_tree = false;
  retrieval_session none{library_of({}), 3};
  const task_info info{task_id{"t"}, seen_tasks[0].instruction};
  const auto got = procedural_desktop_agent{exploring()}.attempt(
      info, env, none, 1, any_job());
  REQUIRE_FALSE(got);
  CHECK(contains(got.error().message, "has no accessibility tree"));
}

TEST_CASE("an attempt on a desktop says that it draws once it explores") {
  const bool explores = GENERATE(false, true);
  auto options = exploring();
  options.explore = explores;
  auto env = desktop_for(seen_tasks[0]);
  retrieval_session retrieval{library_of({"# Rulers\n\nruler\n"}), 3};
  const task_info info{task_id{"t"}, seen_tasks[0].instruction};
  const auto got = procedural_desktop_agent{options}.attempt(
      info, env, retrieval, 1, any_job());
  REQUIRE(got);
  CHECK(got->before_draw == (explores ? 1 : never_drew));
}

TEST_CASE("an attempt repeats itself, and is another with another draw") {
  const auto text = [](std::uint64_t key) {
    std::string out;
    for (const auto& step : play(seen_tasks[2], {}, key).steps)
      out += step.arguments + step.observation;
    return out;
  };
  CHECK(text(5) == text(5));
  std::set<std::string> all;
  for (std::uint64_t key = 0; key < 10; ++key)
    all.insert(text(key));
  CHECK(all.size() > 2);
}
