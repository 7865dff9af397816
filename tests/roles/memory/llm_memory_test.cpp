#include "kb/experience/experience.hpp"
#include "messages/memory/agent_kb_steps.hpp"
#include "roles/memory/llm_memory.hpp"
#include "tests/roles/scripted_model.hpp"

using namespace brewery;
using namespace brewery::test;

namespace {

const char* const good_experience =
    R"({"title": "Clean the fan", "problem": ["the fan is blocked"],)"
    R"( "goal": ["the fan runs"], "steps": ["call clean_fan"],)"
    R"( "failures": [{"sign": "no power", "recovery": ""}], "difficulty": 99})";

memory_job step_on_model(const char* step) {
  memory_job out;
  out.id = {"j"};
  out.step = step;
  out.task = {"task-1"};
  out.texts = {{memory_texts::task, "The room is loud."},
               {memory_texts::domain, "toy"}};
  return out;
}

struct tried_memory {
  std::shared_ptr<scripted_model> model;
  job_context context{};

  explicit tried_memory(std::vector<std::string> replies)
      : model(replies_in_turn([&] {
          std::vector<chat_reply> out;
          for (auto& one : replies)
            out.push_back(says(std::move(one)));
          return out;
        }())) {}

  memory_result perform(const memory_job& job,
                        const std::vector<std::string>& documents = {}) {
    const llm_memory role{
        asker_of("memory", kit_of(model), role_model{.model = "m"})};
    auto made = role.perform(job, documents, context);
    REQUIRE(made);
    CHECK(made->id == job.id);
    return std::move(*made);
  }
  [[nodiscard]] std::string prompt() const {
    return model->request(0).messages.back().content;
  }
  [[nodiscard]] std::string system() const {
    return model->request(0).messages.front().content;
  }
};

} // namespace

TEST_CASE("a model's experience is bounded and read like any other") {
  tried_memory tried{{good_experience}};
  auto job = step_on_model(agent_kb_steps::abstract);
  job.attempts = {
      {{"r"}, {observed("look_fan", "Fan: blocked")}, {}, {{1, {}}}}};
  const auto made = tried.perform(job, {"# Lesson\n\nrule of thumb"});
  const auto texts = texts_of(made.texts, memory_texts::experience);
  REQUIRE(texts.size() == 1);
  const auto item = read_experience(texts.front());
  REQUIRE(item);
  CHECK(item->steps == std::vector<std::string>{"call clean_fan"});
  CHECK(item->difficulty == 20);
  CHECK(item->tools == std::vector<std::string>{"look_fan"});
  CHECK(contains(tried.prompt(), "Fan: blocked"));
  CHECK(contains(tried.prompt(), "rule of thumb"));
}

TEST_CASE("a review is given the log and no grade") {
  tried_memory tried{
      {R"({"query": ["fan", "blocked"], "issues": ["the lamp is dark"]})"}};
  auto job = step_on_model(agent_kb_steps::review);
  job.attempts = {{{"r"}, {observed("look_lamp", "Lamp: dark")}, {}, {}}};
  const auto made = tried.perform(job);
  CHECK(texts_of(made.texts, memory_texts::query).front() == "fan\nblocked");
  CHECK(texts_of(made.texts, memory_texts::issue)
        == std::vector<std::string>{"the lamp is dark"});
  CHECK(contains(tried.prompt(), "Lamp: dark"));
  CHECK_FALSE(contains(tried.prompt(), "reward"));
  CHECK(contains(tried.system(), "Nobody says whether it was"));
}

TEST_CASE("a review of a learner with an oracle is given the grade") {
  tried_memory tried{
      {R"({"query": ["fan"], "issues": ["the lamp was not lit"]})"}};
  auto job = step_on_model(agent_kb_steps::review);
  job.attempts = {{{"r"},
                   {observed("look_lamp", "Lamp: dark")},
                   {},
                   {{0, {{"the lamp is lit", false}}}}}};
  tried.perform(job);
  CHECK(contains(tried.prompt(), "NOT met: the lamp is lit"));
  CHECK(contains(tried.prompt(), "Lamp: dark"));
  CHECK_FALSE(contains(tried.system(), "Nobody says"));
}

TEST_CASE("guidance cites only experiences that there are") {
  tried_memory tried{
      {R"({"cites": [2, 7, -1, 2], "guidance": ["look", "clean"]})"}};
  auto job = step_on_model(agent_kb_steps::refine);
  for (const auto* title : {"One", "Two"})
    job.texts.push_back(
        {memory_texts::experience,
         to_markdown({title, {"p"}, {}, {"s"}, {}, "toy", 0, {}, {}})});
  const auto made = tried.perform(job);
  CHECK(texts_of(made.texts, memory_texts::guidance).front()
        == "# Guidance\n\n1. look\n2. clean\n");
  CHECK(texts_of(made.texts, memory_texts::cites)
        == std::vector<std::string>{"2"});
  CHECK(contains(tried.prompt(), "Experience 2"));
}

TEST_CASE("a model's merged experience keeps what both are from") {
  std::string reply = good_experience;
  reply.pop_back();
  tried_memory tried{{reply + R"(, "compatibility": 0.9})"}};
  auto job = step_on_model(agent_kb_steps::merge);
  for (const auto* word : {"one", "two"})
    job.texts.push_back(
        {memory_texts::experience,
         to_markdown({word, {"p"}, {}, {"s"}, {}, "toy", 0, {word}, {word}})});
  const auto made = tried.perform(job);
  CHECK(texts_of(made.texts, memory_texts::compatibility).front() == "0.900");
  const auto item =
      read_experience(texts_of(made.texts, memory_texts::experience).front());
  REQUIRE(item);
  CHECK(item->domain == "toy");
  CHECK(item->from == std::vector<std::string>{"one", "two"});
  CHECK(contains(tried.prompt(), "Experience 2"));
}

TEST_CASE("a model is not told which tasks its experiences are from") {
  for (const auto* step : {agent_kb_steps::refine, agent_kb_steps::advise,
                           agent_kb_steps::merge}) {
    INFO(step);
    tried_memory tried{{"no", "no"}};
    auto job = step_on_model(step);
    for (const auto* task : {"no_fuse", "no_lamp"})
      job.texts.push_back(
          {memory_texts::experience,
           to_markdown(
               {"T", {"it is dark"}, {}, {"s"}, {}, "toy", 0, {}, {task}})});
    tried.perform(job);
    CHECK(contains(tried.prompt(), "it is dark"));
    CHECK_FALSE(contains(tried.prompt(), "no_fuse"));
    CHECK_FALSE(contains(tried.prompt(), "no_lamp"));
  }
}

TEST_CASE("a reply that cannot be used gives nothing, and is counted") {
  for (const auto* step : {agent_kb_steps::abstract, agent_kb_steps::reason,
                           agent_kb_steps::refine, agent_kb_steps::review,
                           agent_kb_steps::advise, agent_kb_steps::merge}) {
    INFO(step);
    tried_memory tried{{"I would rather not.", R"({"steps": 7})"}};
    auto job = step_on_model(step);
    if (step == std::string_view{agent_kb_steps::merge})
      for (int i = 0; i < 2; ++i)
        job.texts.push_back(
            {memory_texts::experience,
             to_markdown({"T", {"p"}, {}, {"s"}, {}, "toy", 0, {}, {}})});
    CHECK(tried.perform(job).texts.empty());
    CHECK(tried.model->calls.size() == 2); // one repair turn
    REQUIRE(tried.context.notes.size() >= 1);
    CHECK(tried.context.notes.back().role == "memory");
  }
}
