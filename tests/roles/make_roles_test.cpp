#include "base/file.hpp"
#include "roles/make_roles.hpp"
#include "roles/model/examples.hpp"
#include "roles/prompts/rubrics.hpp"
#include "tests/fixtures/scratch.hpp"
#include "tests/roles/scripted_model.hpp"

#include <fstream>

using namespace brewery;
using namespace brewery::test;

namespace {

role_options all_on_models() {
  role_options out;
  out.agent.kind = out.reflector.kind = out.integrator.kind = out.judge.kind =
      out.embedder.kind = out.user.kind = out.statement_judge.kind = "llm";
  for (auto* model : {&out.agent.llm, &out.reflector.llm, &out.integrator.llm,
                      &out.judge.llm, &out.user.llm, &out.statement_judge.llm})
    model->model = "m";
  out.embedder.model = "e";
  return out;
}

std::shared_ptr<model_port> no_model() {
  return replies_in_turn({says("")});
}

std::string fingerprint(const role_options& options) {
  const auto made = make_roles(options, "tau2-retail", no_model());
  if (!made) FAIL(made.error().message);
  return made->fingerprint;
}

} // namespace

TEST_CASE("procedural roles need no model, and nobody else takes part") {
  const auto made = make_roles({}, "toy", nullptr);
  REQUIRE(made);
  CHECK(made->roles.agent);
  CHECK(made->roles.judge);
  CHECK(made->roles.reflector);
  CHECK(made->roles.integrator);
  CHECK(made->roles.embedder);
  CHECK_FALSE(made->roles.participants);
  CHECK(contains(made->fingerprint, "procedural-agent/2"));
}

TEST_CASE("all roles can be on models, the user and the judge for each job") {
  const auto made = make_roles(all_on_models(), "tau2-retail", no_model());
  if (!made) FAIL(made.error().message);
  REQUIRE(made->roles.participants);
  job_context context;
  const auto others = made->roles.participants->make(context);
  CHECK(others.user);
  CHECK(others.judge);
  CHECK(made->tally);
}

TEST_CASE("judge and reflector are one call if their models are the same") {
  const auto joined = [](const role_options& options) {
    const auto made = make_roles(options, "toy", no_model());
    REQUIRE(made);
    return made->roles.reviewer != nullptr;
  };
  CHECK(joined(all_on_models()));
  auto options = all_on_models();
  options.judge.with_reflector = false;
  CHECK_FALSE(joined(options));
  options = all_on_models();
  options.judge.llm.temperature = 0.7;
  CHECK_FALSE(joined(options));
  options = all_on_models();
  options.judge.llm.max_tokens = 9;
  CHECK(joined(options));
  options = all_on_models();
  options.judge.kind = "procedural";
  CHECK_FALSE(joined(options));
  CHECK_FALSE(joined({}));
  // A run may go on with another limit, so it must not change the calls.
  options = all_on_models();
  options.judge.llm.max_tokens = 9;
  CHECK(joined(options));
  CHECK(fingerprint(options) == fingerprint(all_on_models()));
}

TEST_CASE("a role on a model needs its name and a port") {
  for (const auto part : {&role_options::agent}) {
    auto options = all_on_models();
    (options.*part).llm.model = "";
    const auto made = make_roles(options, "toy", no_model());
    REQUIRE_FALSE(made);
    CHECK(made.error().code == ec::invalid_config);
    CHECK(contains(made.error().message, "agent.model"));
  }
  auto options = all_on_models();
  options.embedder.model = "";
  CHECK(contains(make_roles(options, "toy", no_model()).error().message,
                 "embedder.model"));
  const auto portless = make_roles(all_on_models(), "toy", nullptr);
  REQUIRE_FALSE(portless);
  CHECK(portless.error().code == ec::invalid_config);
}

TEST_CASE("the fingerprint follows every role's model and options") {
  std::set<std::string> seen{fingerprint(all_on_models())};
  const auto differs = [&](const std::function<void(role_options&)>& change) {
    auto options = all_on_models();
    change(options);
    CHECK(seen.insert(fingerprint(options)).second);
  };
  differs([](auto& o) { o.agent.llm.model = "n"; });
  differs([](auto& o) { o.reflector.llm.model = "n"; });
  differs([](auto& o) { o.reflector.max_insights = 3; });
  differs([](auto& o) { o.integrator.llm.model = "n"; });
  differs([](auto& o) { o.integrator.send_temperature = false; });
  differs([](auto& o) { o.integrator.keep_facts = false; });
  differs([](auto& o) { o.judge.llm.temperature = 0.5; });
  differs([](auto& o) { o.judge.with_reflector = false; });
  differs([](auto& o) { o.embedder.model = "n"; });
  differs([](auto& o) { o.embedder.model_dimensions = 64; });
  differs([](auto& o) { o.user.llm.model = "n"; });
  differs([](auto& o) { o.user.kind = "none"; });
  differs([](auto& o) { o.statement_judge.llm.model = "n"; });
  differs([](auto& o) { o.retrieval.bm25.b = 0.5; });
  // How many texts go in one call changes no vector.
  auto options = all_on_models();
  options.embedder.batch = 3;
  CHECK(seen.contains(fingerprint(options)));
}

TEST_CASE("keys of rollouts follow the roles that take part in them only") {
  const auto made = [](const role_options& options) {
    auto out = make_roles(options, "tau2-retail", no_model());
    if (!out) FAIL(out.error().message);
    return std::move(*out);
  };
  const auto usual = made(all_on_models());
  const auto checks = [&](const std::function<void(role_options&)>& change,
                          bool playing, bool reflecting) {
    auto options = all_on_models();
    change(options);
    const auto other = made(options);
    CHECK(other.fingerprint != usual.fingerprint);
    CHECK((other.playing != usual.playing) == playing);
    CHECK((other.reflecting != usual.reflecting) == reflecting);
  };
  checks([](auto& o) { o.agent.llm.model = "n"; }, true, true);
  checks([](auto& o) { o.agent.max_calls = 7; }, true, true);
  checks([](auto& o) { o.user.llm.model = "n"; }, true, true);
  checks([](auto& o) { o.statement_judge.llm.model = "n"; }, true, true);
  checks([](auto& o) { o.retrieval.top_k = 5; }, true, true);
  checks([](auto& o) { o.retrieval.bm25.k1 = 2; }, true, true);
  checks([](auto& o) { o.retrieval.kind = "dense"; }, true, true);
  checks([](auto& o) { o.judge.llm.temperature = 0.5; }, false, true);
  checks([](auto& o) { o.reflector.max_insights = 3; }, false, true);
  checks([](auto& o) { o.integrator.llm.model = "n"; }, false, false);
  checks([](auto& o) { o.integrator.keep_facts = false; }, false, false);
  checks([](auto& o) { o.embedder.model = "n"; }, false, false);

  const scratch folder;
  std::filesystem::create_directories(folder.path() / "prompts");
  for (const auto* name : {"integrator", "agent"}) {
    INFO(name);
    const auto file = folder.path() / "prompts" / (std::string{name} + ".md");
    std::ofstream{file} << *read_file(std::string{BREWERY_SOURCE_DIR}
                                      + "/config/prompts/" + name + ".md")
                        << "\nBe brief.\n";
    checks([&](auto& o) { o.prompts.dir = folder.path() / "prompts"; },
           name == std::string{"agent"}, name == std::string{"agent"});
    std::filesystem::remove(file);
  }
}

TEST_CASE("an embedder that ranks documents is part of a rollout's key") {
  const auto playing = [](const char* model) {
    auto options = all_on_models();
    options.retrieval.kind = "hybrid";
    options.embedder.model = model;
    return make_roles(options, "tau2-retail", no_model())->playing;
  };
  CHECK(playing("e") != playing("n"));
}

TEST_CASE("the fingerprint follows a sentence model's files, not their place") {
  const scratch folder;
  const auto write = [&](const std::string& name, const char* text) {
    std::ofstream{folder.path() / name} << text;
  };
  write("tokenizer.json", "{}");
  write("a.onnx", "one");
  write("b.onnx", "two");
  write("c.onnx", "one");
  const auto of = [&](const char* name) {
    role_options options;
    options.embedder.kind = "sentence";
    options.embedder.model_file = folder.path() / name;
    return fingerprint(options);
  };
  CHECK(of("a.onnx") != of("b.onnx"));
  CHECK(of("a.onnx") == of("c.onnx"));
  CHECK(of("a.onnx") != fingerprint(role_options{}));
  const auto before = of("a.onnx");
  write("tokenizer.json", "[]");
  CHECK(of("a.onnx") != before);
  role_options missing;
  missing.embedder.kind = "sentence";
  missing.embedder.model_file = folder.path() / "d.onnx";
  const auto made = make_roles(missing, "toy", nullptr);
  REQUIRE_FALSE(made);
  CHECK(contains(made.error().message, "embedder.model_file"));
}

TEST_CASE("the built-in rubrics have an example each way") {
  const auto rubrics = load_rubrics({});
  if (!rubrics) FAIL(rubrics.error().message);
  CHECK(rubrics->size() >= 5);
  for (const auto& item : *rubrics) {
    const auto text = rubrics_text({item});
    CHECK(contains(text, item.kept));
    CHECK(contains(text, item.broken));
  }
}

TEST_CASE("a rubric file that cannot be used names line and key") {
  const std::string whole =
      "[[rubric]]\nname = \"a\"\nasks = \"b\"\nkept = \"c\"\nbroken = \"d\"\n";
  REQUIRE(parse_rubrics(whole, "r.toml"));
  const std::vector<std::pair<std::string, std::string>> cases{
      {"", "r.toml: it has no [[rubric]]"},
      {"[[rubric]]\nname = \"a\"\n", "r.toml:1: this rubric has no 'asks'"},
      {whole + "score = 1\n", "r.toml:6: unknown key 'score'"},
      {whole + whole, "r.toml:6: a second rubric 'a'"},
      {"[[rubric]]\nname = 3\n", "r.toml:2: 'name' must be a text"},
      {"[[rubric]]\nname = \" \"\n", "r.toml:2: 'name' must be a text"},
      {"[rubric]\nname = \"a\"\n", "r.toml:1: unknown key 'rubric'"},
      {"title = 1\n" + whole, "r.toml:1: unknown key 'title'"},
      {"rubric = [1]\n", "r.toml:1: a rubric is a table"},
      {"[[rubric]\n", "r.toml:1: "}};
  for (const auto& [text, words] : cases) {
    INFO(words);
    const auto got = parse_rubrics(text, "r.toml");
    REQUIRE_FALSE(got);
    CHECK(got.error().code == ec::malformed);
    INFO(got.error().message);
    CHECK(contains(got.error().message, words));
  }
}

TEST_CASE("examples are one document for each task, the shortest attempt") {
  const auto step = changed("toggle", R"({"part": "fan"})");
  const auto documents = example_documents(shortest_of_each_task({
      {{"t2"}, "Second.", {step}},
      {{"t1"}, "First.", {step, step, step}},
      {{"t1"}, "First.", {step, changed("set")}},
      {{"t1"}, "First.", {changed("other"), step}},
      {{"t3"}, "Nothing was done.", {}},
  }));
  REQUIRE(documents.size() == 2);
  CHECK(contains(documents[0], "First."));
  CHECK(contains(documents[0], "called set with"));
  CHECK_FALSE(contains(documents[0], "called other"));
  CHECK(contains(documents[1], "Second."));
}

TEST_CASE("examples are whole or left out") {
  const lines texts{std::string(40, 'a'), std::string(400, 'b'),
                    std::string(40, 'c')};
  CHECK(examples_within(texts, 20) == lines{texts[0], texts[2]});
  CHECK(examples_within(texts, 10) == lines{texts[0]});
  CHECK(examples_within(texts, 9).empty());
  CHECK(examples_within(texts, 1000) == texts);
}
