#include "learners/comparators/attempt_texts.hpp"
#include "messages/memory/comparator_steps.hpp"
#include "roles/memory/llm_recorder.hpp"
#include "tests/roles/scripted_model.hpp"

using namespace brewery;
using namespace brewery::test;

namespace {

struct tried_recorder {
  std::shared_ptr<scripted_model> model;
  job_context context{};

  explicit tried_recorder(std::vector<std::string> replies)
      : model(replies_in_turn([&] {
          std::vector<chat_reply> out;
          for (auto& one : replies)
            out.push_back(says(std::move(one)));
          return out;
        }())) {}

  std::vector<named_text> perform(const memory_job& job) {
    const llm_recorder role{
        asker_of("memory", kit_of(model), role_model{.model = "m"})};
    auto made = role.perform(job, {}, context);
    REQUIRE(made);
    CHECK(made->id == job.id);
    return std::move(made->texts);
  }
  [[nodiscard]] std::string prompt() const {
    return model->request(0).messages.back().content;
  }
};

memory_job attempt_to_record(std::string_view arm) {
  memory_job out;
  out.id = {"j"};
  out.learner = arm;
  out.step = comparator_steps::record;
  out.texts = {{comparator_texts::task, "The room is loud."}};
  out.attempts = {
      {{"r"}, {observed("look_fan", "Fan: blocked")}, {}, {{1, {}}}}};
  return out;
}

memory_job note_to_evolve() {
  memory_job out;
  out.id = {"j"};
  out.learner = comparators::a_mem;
  out.step = comparator_steps::evolve;
  out.texts = {{comparator_texts::note, "# Note: new"},
               {comparator_texts::neighbour, "# Note: old"},
               {comparator_texts::neighbour, "# Note: older"}};
  return out;
}

} // namespace

TEST_CASE("a model's note is read with its attempt and grade") {
  tried_recorder tried{
      {R"({"summary": "A loud\nroom", "keywords": ["loud"], "tags": ["fan"],)"
       R"( "context": ["Fan: blocked"], "lessons": ["clean it"]})"}};
  const auto made =
      attempt_in(tried.perform(attempt_to_record(comparators::a_mem)));
  REQUIRE(made);
  CHECK(made->told == "A loud room");
  CHECK(made->keywords == std::vector<std::string>{"loud"});
  CHECK(made->tags == std::vector<std::string>{"fan"});
  CHECK(made->context == std::vector<std::string>{"Fan: blocked"});
  CHECK(made->sentences == std::vector<std::string>{"clean it"});
  CHECK(contains(tried.prompt(), "Fan: blocked"));
  CHECK(contains(tried.prompt(), "The room is loud."));
  CHECK(contains(tried.prompt(), "reward"));
}

TEST_CASE("a model's triplets are changes") {
  tried_recorder tried{
      {R"({"summary": "A room", "triplets": [{"head": "fan blocked",)"
       R"( "relation": "clean_fan", "tail": "", "sentence": "Clean."}]})"}};
  const auto made =
      attempt_in(tried.perform(attempt_to_record(comparators::cognee)));
  REQUIRE(made);
  REQUIRE(made->changes.size() == 1);
  CHECK(made->changes[0].before == std::vector<std::string>{"fan blocked"});
  CHECK(made->changes[0].call == "clean_fan");
  CHECK(made->changes[0].after.empty());
  CHECK(made->changes[0].sentence == "Clean.");
}

TEST_CASE("a note evolves by a model, but not with notes that it made up") {
  tried_recorder tried{
      {R"({"links": [2, 7, -1, 0], "tags": ["air"], "neighbours": [)"
       R"({"number": 1, "context": ["hot"], "tags": ["t"]},)"
       R"({"number": 9, "context": ["nowhere"], "tags": []}]})"}};
  const auto made = evolution_in(tried.perform(note_to_evolve()));
  CHECK(made.links == std::set<std::size_t>{1});
  CHECK(made.tags == std::vector<std::string>{"air"});
  CHECK(made.neighbour_context
        == std::map<std::size_t, std::vector<std::string>>{{0, {"hot"}}});
  CHECK(made.neighbour_tags
        == std::map<std::size_t, std::vector<std::string>>{{0, {"t"}}});
  CHECK(contains(tried.prompt(), "Note 2:\n\n# Note: older"));
}

TEST_CASE("a reply of no use records and changes nothing, and is counted") {
  const std::string huge(4000, 'x');
  const std::vector<std::string> replies{
      "I would rather not.", R"({"summary": 7})",
      R"({"summary": ")" + huge
          + R"(", "keywords": [], "tags": [],)"
            R"( "context": [], "lessons": []})"};
  for (const auto& reply : replies)
    for (const auto& job :
         {attempt_to_record(comparators::a_mem),
          attempt_to_record(comparators::cognee), note_to_evolve()}) {
      INFO(reply.substr(0, 40) << " / " << job.learner << " / " << job.step);
      tried_recorder tried{{reply}};
      CHECK(tried.perform(job).empty());
      CHECK(tried.model->calls.size() == 2); // one repair turn
      REQUIRE_FALSE(tried.context.notes.empty());
      CHECK(tried.context.notes.back().role == "memory");
    }
}
