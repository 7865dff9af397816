#include "tests/web/runs_folder.hpp"
#include "web/paging.hpp"

using namespace brewery;
using namespace brewery::test;
using Catch::Contains;

TEST_CASE("runs are listed with what is known of them") {
  runs_folder runs;
  const auto all = runs.get("/api/runs");
  CHECK(all["total"] == 1);
  CHECK(all["items"][0]["id"] == "r");
  const auto one = runs.get("/api/runs/r");
  CHECK(one["state"] == "running"); // its log is open for writing
  REQUIRE(one["progress"].size() == 1);
  CHECK(one["progress"][0]["strategy"] == "mcts");
  CHECK(one["progress"][0]["reward"] == 0.25);
}

TEST_CASE("a tree has its versions, each with what became of it") {
  runs_folder runs;
  const auto trees = runs.get("/api/runs/r/trees");
  CHECK(trees["total"] == 1);
  CHECK(trees["items"][0]["title"] == "Fan");
  CHECK(trees["items"][0]["best"]["id"] == 1);
  const auto tree = runs.get("/api/runs/r/trees/mcts/0", "limit=1&offset=1");
  CHECK(tree["total"] == 2);
  REQUIRE(tree["items"].size() == 1);
  CHECK(tree["items"][0]["parent"] == 0);
  CHECK(tree["items"][0]["best"] == true);
  CHECK(tree["items"][0]["refused"] == false);
}

TEST_CASE("trees that were shown grow with the log") {
  runs_folder runs;
  CHECK(runs.get("/api/runs/r/trees/mcts/0")["total"] == 2);
  auto third = version(2, 1, "third");
  auto again = version(1, 0, second_text);
  again.visits = 9;
  gather_record closed;
  closed.iteration = 2;
  closed.reports.resize(1);
  closed.reports[0].iteration = 2;
  closed.reports[0].best = third;
  runs.append({event_of(tree_record{{0}, 2, {again, third}},
                        tree_prefix("mcts", {0}) + "2"),
               played("cccc", "t3"), event_of(closed, gather_key("mcts", 2))});
  const auto tree = runs.get("/api/runs/r/trees/mcts/0");
  REQUIRE(tree["total"] == 3);
  CHECK(tree["iteration"] == 2);
  CHECK(tree["items"][1]["visits"] == 9);
  CHECK(tree["items"][1]["published"] == true);
  CHECK(tree["best"]["id"] == 2);
  CHECK(runs.get("/api/runs/r/trees/mcts/0") == tree);
}

TEST_CASE("documents are found by their hash, with what changed") {
  runs_folder runs;
  const auto path = "/api/runs/r/documents/" + content_hash(second_text);
  const auto second = runs.get(path);
  CHECK(second["text"] == second_text);
  CHECK(second["strategy"] == "mcts");
  CHECK(second["title"] == "Fan");
  const auto diff = runs.get(path + "/diff/" + content_hash(first_text));
  CHECK_THAT(diff["diff"].get<std::string>(),
             Contains("-turn it\n+turn it on\n"));
  // A search may begin from nothing.
  CHECK(runs.get("/api/runs/r/documents/" + content_hash(""))["text"] == "");
  runs.refused(404, path + "/diff/0000");
}

TEST_CASE("a rollout shows what its agent did in order, in pages") {
  runs_folder runs;
  const auto all = runs.get("/api/runs/r/rollouts");
  CHECK(all["total"] == 2);
  CHECK(all["items"][0]["id"] == "bbbb"); // newest first
  CHECK(runs.get("/api/runs/r/rollouts", "task=t1")["total"] == 1);
  CHECK(runs.get("/api/runs/r/rollouts", "arm=search")["total"] == 2);
  CHECK(runs.get("/api/runs/r/rollouts", "arm=none")["total"] == 0);
  const auto one = runs.get("/api/runs/r/rollouts/aaaa");
  REQUIRE(one["items"].size() == 4);
  CHECK(one["items"][0]["observation"] == "bad \uFFFD byte");
  CHECK(one["items"][1]["query"] == "how?");
  CHECK(one["items"][1]["documents"][0]["title"] == "Fan");
  CHECK(one["items"][3]["step"] == 3);
  CHECK_THAT(one["items"][3]["observation"].get<std::string>(),
             Contains("[cut here: 70000 bytes in all]"));
  const auto page = runs.get("/api/runs/r/rollouts/aaaa", "offset=2&limit=1");
  CHECK(page["total"] == 4);
  CHECK(page["items"][0]["step"] == 2);
}

TEST_CASE("rollouts are found by a whole task, else by a part of tasks") {
  runs_folder runs;
  runs.append({played("cccc", "t1-Roaming"), played("dddd", "t3")});
  const auto ask = [&](const std::string& query) {
    return runs.get("/api/runs/r/rollouts", query)["total"];
  };
  CHECK(ask("task=t1") == 1); // not t1-Roaming
  CHECK(ask("task=roam") == 1);
  CHECK(ask("task=T") == 4);
  CHECK(ask("task=none") == 0);
}

TEST_CASE("rollouts are found by parts of seconds") {
  runs_folder runs;
  rollout_result slow;
  slow.id = {"cccc"};
  slow.task = {"t1"};
  slow.duration_us = 700'000;
  runs.append({event_of(make_result(slow), "cccc")});
  const auto ask = [&](const std::string& seconds) {
    return runs.get("/api/runs/r/rollouts", "seconds=" + seconds)["total"];
  };
  CHECK(ask("0.5") == 1);
  CHECK(ask("0.75") == 0);
  CHECK(ask("0") == 3);
  for (const char* wrong : {"soon", "-1", "nan", "1e99", "0.5s"})
    runs.refused(400, "/api/runs/r/rollouts", std::string{"seconds="} + wrong);
}

TEST_CASE("steps are found by their text, and those that failed") {
  runs_folder runs;
  const auto ask = [&](const std::string& query) {
    return runs.get("/api/runs/r/rollouts/aaaa", query);
  };
  const auto by_text = ask("text=BAD");
  CHECK(by_text["done"] == 4);
  REQUIRE(by_text["total"] == 1);
  CHECK(by_text["items"][0]["step"] == 1);
  CHECK(ask("text=HOW")["items"][0]["query"] == "how?");
  CHECK(ask("text=xxxx")["items"][0]["step"] == 3);
  CHECK(ask("text=nowhere")["total"] == 0);
  CHECK(ask("failed=1")["total"] == 1);
  CHECK(ask("failed=1")["items"][0]["step"] == 2);
  CHECK(ask("failed=1&text=bad")["total"] == 0);
  runs.refused(404, "/api/runs/r/rollouts/aaaa", "text=bad&step=2");
  runs.refused(400, "/api/runs/r/rollouts/aaaa", "failed=0");
  runs.refused(400, "/api/runs/r/rollouts/aaaa",
               "text=" + std::string(5000, 'a'));
}

TEST_CASE("a version is set beside its parent task by task") {
  runs_folder runs;
  const std::string path = "/api/runs/r/trees/mcts/0/1";
  CHECK(runs.get(path)["recorded"] == false);
  // Tasks t1 (solved, then reused for t2) under version 1; t1 under version 0.
  rollout_result lost;
  lost.id = {"cccc"};
  lost.task = {"t1"};
  lost.duration_us = 2'000'000;
  const auto for_what = [](std::string_view what, const std::string& text,
                           std::vector<job_id> jobs) {
    return job_purpose{std::string{what},    "mcts",         {0}, 1,
                       {content_hash(text)}, std::move(jobs)};
  };
  const purpose_record said{
      {for_what(purpose::score, second_text, {{"aaaa"}, {"bbbb"}, {"none"}}),
       for_what(purpose::score, first_text, {{"cccc"}}),
       for_what(purpose::learn, second_text, {{"cccc"}})}};
  runs.append({event_of(make_result(lost), "cccc"),
               event_of(said, "mcts/0/purposes 1")});
  const auto one = runs.get(path);
  CHECK(one["recorded"] == true);
  CHECK(one["parent"] == 0);
  CHECK(one["own"]["score"] == 2);
  CHECK(one["own"]["learn"] == 1);
  CHECK(one["own"]["reused"] == 1);
  CHECK(one["own"]["seconds"] == 2);
  REQUIRE(one["total"] == 2);
  CHECK(one["items"][0]["task"] == "t1"); // it changed most
  CHECK(one["items"][0]["change"] == 1);
  CHECK(one["items"][0]["parent"]["jobs"][0] == "cccc");
  CHECK(one["items"][1]["here"]["reward"] == 1);
  CHECK_FALSE(one["items"][1].contains("change"));
  const auto root = runs.get("/api/runs/r/trees/mcts/0/0");
  CHECK_FALSE(root.contains("parent"));
  CHECK(root["own"]["score"] == 1);
  CHECK(root["below"]["score"] == 3); // with version 1
  for (const char* other : {"2", "x", "-1", ""})
    runs.refused(404, std::string{"/api/runs/r/trees/mcts/0/"} + other);
}

TEST_CASE("fresh trials of a challenge are no scores of a version") {
  runs_folder runs;
  const auto for_what = [](std::string_view what, std::vector<job_id> jobs) {
    return job_purpose{std::string{what},           "mcts",         {0}, 1,
                       {content_hash(second_text)}, std::move(jobs)};
  };
  runs.append(
      {played("dddd", "t1"),
       event_of(purpose_record{{for_what(purpose::score, {{"aaaa"}}),
                                for_what(purpose::confirm, {{"dddd"}})}},
                "mcts/0/purposes 1")});
  const auto one = runs.get("/api/runs/r/trees/mcts/0/1");
  CHECK(one["own"]["score"] == 1);
  CHECK(one["own"]["confirm"] == 1);
  CHECK(one["items"][0]["here"]["rollouts"] == 1);
  const auto shown = runs.get("/api/runs/r/rollouts/dddd")["for"][0];
  CHECK(shown["what"] == "confirm");
  CHECK(shown["version"] == 1);
}

TEST_CASE("a search that began as another one has its scores of the root") {
  runs_folder runs;
  concept_record about;
  about.title = "Fan";
  const auto asked = [](std::string_view what, const char* search,
                        std::uint32_t iteration, const std::string& text,
                        const char* job) {
    return purpose_record{{{std::string{what},
                            search,
                            {0},
                            iteration,
                            {content_hash(text)},
                            {{job}}}}};
  };
  const auto greedy = [&](std::uint32_t iteration) {
    return tree_prefix("greedy", {0}) + std::to_string(iteration);
  };
  // Both published the same texts; greedy played only the second one.
  runs.append(
      {event_of(
           purpose_record{
               {{std::string{purpose::first}, "mcts", {}, 0, {}, {{"aaaa"}}}}},
           "mcts/first"),
       event_of(asked(purpose::score, "mcts", 0, first_text, "aaaa"),
                tree_prefix("mcts", {0}) + "0"),
       event_of(asked(purpose::score, "mcts", 1, second_text, "aaaa"),
                tree_prefix("mcts", {0}) + "1"),
       event_of(about, "greedy/concept 0"),
       event_of(tree_record{{0}, 0, {version(0, 0, first_text)}}, greedy(0)),
       event_of(tree_record{{0}, 1, {version(1, 0, second_text)}}, greedy(1)),
       event_of(asked(purpose::score, "greedy", 1, second_text, "bbbb"),
                greedy(1))});
  const auto root = runs.get("/api/runs/r/trees/greedy/0/0");
  CHECK(root["own"]["score"] == 1);
  CHECK(root["below"]["score"] == 2);
  REQUIRE(root["total"] == 1);
  CHECK(root["items"][0]["here"]["jobs"][0] == "aaaa");
  const auto child = runs.get("/api/runs/r/trees/greedy/0/1");
  CHECK(child["own"]["score"] == 1);
  CHECK(child["own"]["reused"] == 1); // bbbb, and not what mcts asked for
}

TEST_CASE("a version has what its model calls took") {
  runs_folder runs;
  const auto asked = [](std::string_view what, const std::string& text,
                        std::vector<job_id> jobs) {
    return job_purpose{std::string{what},    "mcts",         {0}, 1,
                       {content_hash(text)}, std::move(jobs)};
  };
  runs.append(
      {played("cccc", "t3"),
       event_of(
           purpose_record{{asked(purpose::score, first_text, {{"cccc"}}),
                           asked(purpose::score, second_text, {{"aaaa"}}),
                           asked(purpose::learn, second_text, {{"aaaa"}})}},
           "mcts/0/purposes 1")});
  const auto call = [](const char* job, std::uint64_t prompt, bool answered) {
    model_record out;
    out.job = {job};
    out.usage = {prompt, 0, 10, 0};
    out.cost = 1'500'000'000'000;
    chat_reply reply;
    reply.usage = out.usage;
    if (answered) out.answer = model_answer{reply};
    return out;
  };
  const auto of = [&](int version) {
    return runs.get("/api/runs/r/trees/mcts/0/" + std::to_string(version));
  };
  CHECK(of(1)["asks_models"] == false);
  CHECK(of(1)["own"]["models"]["calls"] == 0);
  // Of a rollout that is for two things, of what wrote the text, of another.
  runs.record({call("aaaa", 100, true), call("w2", 1000, true),
               call("aaaa", 7, false), call("other", 5, true)});
  const json expected{{"calls", 2},
                      {"prompt_tokens", 1100},
                      {"completion_tokens", 20},
                      {"cost_usd", 3.0}};
  CHECK(of(1)["own"]["models"] == expected);
  CHECK(of(0)["own"]["models"]["calls"] == 0);
  runs.record({call("cccc", 50, true)}); // what came since
  CHECK(of(1)["asks_models"] == true);
  CHECK(of(0)["own"]["models"]["prompt_tokens"] == 50);
  CHECK(of(0)["below"]["models"]["prompt_tokens"] == 1150);
  CHECK(of(0)["below"]["models"]["cost_usd"] == 4.5);
}

TEST_CASE("a rollout that was not played shows the one that stands for it") {
  runs_folder runs;
  const auto one = runs.get("/api/runs/r/rollouts/bbbb");
  CHECK(one["id"] == "bbbb");
  CHECK(one["task"] == "t2");
  CHECK(one["reused_from"] == "aaaa");
  CHECK(one["total"] == 4);
}

TEST_CASE("what a run's log gets is shown at the next request") {
  runs_folder runs;
  CHECK(runs.get("/api/runs/r/rollouts")["total"] == 2);
  runs.refused(404, "/api/runs/r/documents/" + content_hash("third"));
  // The first result of a job is replaced by its second.
  runs.append(
      {played("cccc", "t3"), written("w3", "third"), played("aaaa", "t4")});
  const auto now = runs.get("/api/runs/r/rollouts");
  CHECK(now["total"] == 3);
  CHECK(now["items"][0]["task"] == "t4");
  CHECK(runs.get("/api/runs/r/documents/" + content_hash("third"))["text"]
        == "third");
}

TEST_CASE("no address leads out of the runs") {
  runs_folder runs;
  for (const char* id : {"..", "%2e%2e", "..%2f..", "%2e%2e%2fsecret", ".%2fr",
                         "r%2f", "r%2f.", "%2fetc", "", ".", "r.", "x"}) {
    INFO(id);
    runs.refused(404, std::string{"/api/runs/"} + id);
    runs.refused(404, std::string{"/api/runs/"} + id + "/trees");
    runs.refused(404, std::string{"/api/runs/"} + id + "/rollouts");
    runs.refused(404, std::string{"/api/runs/r/documents/"} + id);
    runs.refused(404, std::string{"/api/runs/r/rollouts/"} + id);
    runs.refused(404, std::string{"/api/runs/r/trees/"} + id + "/0");
    runs.refused(404, "/api/runs/r/provenance/0",
                 std::string{"strategy="} + id + "x");
  }
  for (const char* path :
       {"/api/", "/api/run", "/api//runs", "/api/runs/r/", "/api/runs/r/x",
        "/api/runs/r/trees/mcts", "/api/runs/r/trees/mcts/0/1/2",
        "/api/runs/r/documents", "/api/runs/../runs/r", "/api/runs/r/trees/"})
    runs.refused(404, path);
}

TEST_CASE("what cannot be understood is said in one line") {
  runs_folder runs;
  CHECK_THAT(runs.refused(400, "/api/runs/%zz"), Contains("two hex digits"));
  runs.refused(400, "/api/runs/%");
  runs.refused(400, "/api/runs/r%00");
  runs.refused(400, "/api/runs", "limit=100000");
  runs.refused(400, "/api/runs", "offset=-1");
  runs.refused(400, "/api/runs", "limit=%zz");
  CHECK_THAT(runs.refused(400, "/api/runs", "sort=id"),
             Contains("no parameter \"sort\""));
  runs.refused(400, "/api/runs/r/trees/mcts/one");
  runs.refused(400, "/api/runs/r/trees/mcts/-1");
  const auto said = runs.refused(400, "/api/runs", std::string(7000, 'a'));
  CHECK(said.size() < 200);
}

TEST_CASE("runs are listed by when they began, those of one time by id") {
  const scratch at;
  const auto began = [&](const std::string& id, int ms) {
    const auto run = at.path() / id;
    std::filesystem::create_directory(run);
    std::ofstream{run / "config.toml"} << "\n";
    const auto status = run / "status.json";
    std::ofstream{status.string() + ".new"}
        << "{\"state\": \"finished\", \"started_ms\": " << ms << "}";
    std::filesystem::rename(status.string() + ".new", status);
  };
  web::run_shelf shelf{at.path()};
  const auto ids = [&] {
    std::string out;
    const auto runs = shelf.list();
    REQUIRE(runs);
    for (const auto& run : *runs)
      out += run.id() + " ";
    return out;
  };
  began("a", 3000);
  began("b", 1000);
  began("c", 2000);
  began("d", 2000);
  CHECK(ids() == "a d c b ");
  began("b", 4000);
  CHECK(ids() == "b a d c ");
  std::filesystem::remove_all(at.path() / "a");
  // Without a status: when its configuration was written.
  std::filesystem::remove(at.path() / "c/status.json");
  CHECK(ids() == "c b d ");
}

TEST_CASE("a directory of runs has its name without a slash at its end") {
  for (const char* written : {"/x/runs", "/x/runs/", "/x/runs//", "/x/runs/."})
    CHECK(web::run_shelf{written}.root() == "/x/runs");
  CHECK(web::run_shelf{"/"}.root() == "/");
  CHECK(web::run_shelf{"."}.root() == ".");
}

TEST_CASE("one run alone can be shown") {
  const scratch at;
  for (const char* id : {"a", "b"}) {
    auto run = run_directory::create(at.path(), id);
    REQUIRE(run);
    REQUIRE(begin_log(*run, ""));
  }
  web::run_shelf shelf{at.path(), "a"};
  const auto all = json::parse(web::api_answer(shelf, {"/api/runs", ""}).body);
  CHECK(all["total"] == 1);
  CHECK(web::api_answer(shelf, {"/api/runs/a", ""}).status == 200);
  CHECK(web::api_answer(shelf, {"/api/runs/b", ""}).status == 404);
}
