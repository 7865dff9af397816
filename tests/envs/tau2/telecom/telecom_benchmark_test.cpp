#include "tests/envs/tau2/small_store.hpp"
#include "tests/envs/tau2/vectors.hpp"

using namespace brewery;
using namespace brewery::tau2;
using namespace brewery::test;

namespace {

bool has(const std::string& text, const std::string& part) {
  INFO(text);
  INFO("expected: " << part);
  return text.find(part) != std::string::npos;
}

/// The refusal after one replacement in tasks.json.
std::string refused_tasks(const std::string& from, const std::string& to) {
  REQUIRE(small_tasks.find(from) != std::string::npos);
  auto text = small_tasks;
  text.replace(text.find(from), from.size(), to);
  const small_store files;
  files.write("tasks.json", text);
  return files.refusal();
}

std::string refused_splits(const std::string& text) {
  const small_store files;
  files.write("split_tasks.json", text);
  return files.refusal();
}

} // namespace

TEST_CASE("a benchmark has tasks in file order, tickets and splits") {
  const small_store files;
  const auto bench = load_tau2("tau2-telecom", files.folder());
  REQUIRE(bench.has_value());
  REQUIRE((*bench)->tasks().size() == 2);
  CHECK((*bench)->tasks()[1].id.value == "hand_over");
  CHECK((*bench)->tasks()[1].instruction == "The SIM is locked.");
  CHECK((*bench)->splits().at("train") == std::vector<std::size_t>{0, 1});
  CHECK((*bench)->splits().at("test") == std::vector<std::size_t>{1});
  CHECK_FALSE((*bench)->make({"other"}).has_value());
}

TEST_CASE("tasks may be wrapped in an object") {
  const small_store files;
  files.write("tasks.json", "{\"tasks\": " + small_tasks + "}");
  CHECK(files.load()->tasks().size() == 2);
  files.write("tasks.json", "{\"items\": []}");
  CHECK(has(files.refusal(), "tasks.json: tasks is missing"));
  files.write("tasks.json", "3");
  CHECK(has(files.refusal(), "tasks.json: must be a list of tasks"));
}

TEST_CASE("data is found in a checkout, a data folder or a domain folder") {
  const small_store files;
  const small_store checkout;
  for (const char* inside : {"data/tau2/domains/telecom",
                             "tau2/domains/telecom", "domains/telecom"}) {
    const auto root = checkout.folder() / "root";
    std::filesystem::remove_all(root);
    std::filesystem::create_directories(root / inside);
    std::filesystem::copy(files.folder(), root / inside);
    INFO(inside);
    CHECK(load_tau2("tau2-telecom", root).has_value());
  }
}

TEST_CASE("the fingerprint follows the content, not the place") {
  const small_store one, two;
  CHECK(one.load()->fingerprint() == two.load()->fingerprint());
  two.write("user_db.toml", small_user_db + "\n");
  CHECK(one.load()->fingerprint() != two.load()->fingerprint());
}

TEST_CASE("a missing directory or file is named") {
  const small_store files;
  CHECK(has(to_string(load_tau2("tau2-telecom", files.folder() / "no").error()),
            "no: no such directory"));
  for (const char* name : {"user_db.toml", "tasks.json", "split_tasks.json"}) {
    const small_store incomplete;
    incomplete.remove(name);
    CHECK(has(incomplete.refusal(), std::string{name} + ": no such file"));
  }
}

TEST_CASE("a directory without telecom data is of another version") {
  const small_store files;
  files.remove("db.toml");
  const auto loaded = load_tau2("tau2-telecom", files.folder());
  REQUIRE_FALSE(loaded.has_value());
  CHECK(loaded.error().code == ec::version_mismatch);
  CHECK(has(loaded.error().message, "tau2/domains/telecom/db.toml"));
}

TEST_CASE("malformed JSON is refused with its place and the cause alone") {
  const small_store files;
  files.write("tasks.json", "[\n {\"id\": \"a\",\n  oops}\n]");
  CHECK(has(files.refusal(), "tasks.json:3:3: is not JSON: syntax error"));
  CHECK_FALSE(has(files.refusal(), "json.exception"));
  files.write("tasks.json", "");
  CHECK(has(files.refusal(), "tasks.json:1:1: is not JSON: syntax error"));
  CHECK(has(refused_splits("{\n\"a\": [}"),
            "split_tasks.json:2:7: is not JSON: syntax error"));
}

TEST_CASE("a task file without a task is refused as that") {
  for (const auto* text : {"[]", "{\"tasks\": []}"}) {
    const small_store files;
    files.write("tasks.json", text);
    CHECK(has(files.refusal(), "tasks.json: has no task"));
    CHECK_FALSE(has(files.refusal(), "split_tasks.json"));
  }
}

TEST_CASE("a missing or wrong field is refused with task and field") {
  const std::string of_task = "tasks.json: task \"data_off\": ";
  CHECK(has(refused_tasks(R"("id": "data_off", )", ""),
            "tasks.json: task \"#1\": id is missing"));
  CHECK(has(refused_tasks(R"("id": "data_off")", R"("id": 5)"),
            "tasks.json: task \"#1\": id must be a string"));
  CHECK(has(refused_tasks(R"("user_scenario": {"instructions": "x"},)", ""),
            of_task + "user_scenario is missing"));
  CHECK(has(refused_tasks(R"("ticket": "Mobile data does not work.")",
                          R"("ticket": [])"),
            of_task + "ticket must be a string"));
  CHECK(has(refused_tasks(R"("func_name": "turn_data_off", )", ""),
            of_task
                + "initial_state.initialization_actions[1].func_name is "
                  "missing"));
  CHECK(has(refused_tasks(R"("env_type": "user", "func_name": "turn_data_off")",
                          R"("env_type": "phone", "func_name": "x")"),
            of_task
                + "initial_state.initialization_actions[1].env_type must be "
                  "\"assistant\" or \"user\", not \"phone\""));
  CHECK(has(refused_tasks(R"({"expected_status": true})", "[]"),
            of_task
                + "evaluation_criteria.env_assertions[0].arguments must be an "
                  "object"));
  CHECK(has(refused_tasks(R"("assert_value": true)", R"("assert_value": 1)"),
            of_task
                + "evaluation_criteria.env_assertions[1].assert_value must be "
                  "true or false"));
  CHECK(has(refused_tasks(R"("action_id": "a", "requestor")", R"("requestor")"),
            of_task + "evaluation_criteria.actions[0].action_id is missing"));
  CHECK(has(refused_tasks(R"(["ENV_ASSERTION", "DB"])", R"(["LUCK"])"),
            of_task
                + "evaluation_criteria.reward_basis has the unknown part "
                  "\"LUCK\""));
  CHECK(has(refused_tasks(R"("compare_args": [])", R"("compare_args": [1])"),
            "task \"hand_over\": evaluation_criteria.actions[0].compare_args "
            "must be a list of strings"));
  CHECK(has(refused_tasks(R"("id": "hand_over")", R"("id": "data_off")"),
            of_task + "id is used by an earlier task"));
}

TEST_CASE("a function or tool that does not exist is refused by name") {
  const std::string of_task = "tasks.json: task \"data_off\": ";
  CHECK(
      has(refused_tasks("turn_data_off", "turn_dta_off"),
          of_task
              + "initial_state.initialization_actions[1] names the function "
                "\"turn_dta_off\", which the user side does not have; did you "
                "mean \"turn_data_off\"?"));
  CHECK(
      has(refused_tasks(R"("name": "toggle_data")", R"("name": "zap")"),
          of_task
              + "evaluation_criteria.actions[0] names the tool \"zap\", which "
                "the user side does not have"));
  CHECK(has(
      refused_tasks(R"("name": "toggle_data")", R"("name": "turn_data_on")"),
      "names the tool \"turn_data_on\""));
  CHECK(
      has(refused_tasks("assert_mobile_data_status", "toggle_data"),
          of_task
              + "evaluation_criteria.env_assertions[0] names \"toggle_data\", "
                "which is not an assertion"));
  CHECK(has(refused_tasks(R"({"mode": "pin"})", R"({"code": "pin"})"),
            "got an unexpected keyword argument 'code'"));
}

TEST_CASE("a set-up that fails is the environment's error, at make") {
  const small_store files;
  auto text = small_tasks;
  text.replace(text.find("555-1"), 5, "555-8");
  files.write("tasks.json", text);
  const auto loaded = files.load();
  const auto env = loaded->make({"data_off"});
  REQUIRE_FALSE(env.has_value());
  CHECK(env.error().code == ec::environment);
  const std::string why =
      "task \"data_off\": initialisation stopped at "
      "initial_state.initialization_actions[0], "
      "set_user_info(name=\"Ada\", phone_number=\"555-8\"): Line with phone "
      "number 555-8 not found";
  CHECK(has(env.error().message, why));
  const auto start = loaded->can_start({"data_off"});
  REQUIRE_FALSE(start);
  CHECK(start.error().code == ec::malformed);
  CHECK(has(start.error().message, "tasks.json: " + why));
  CHECK(loaded->can_start({"hand_over"}));
}

TEST_CASE("splits with unknown, repeated or no tasks are refused") {
  CHECK(has(refused_splits(R"({"a": ["nobody"]})"),
            "split_tasks.json: split \"a\" names the task \"nobody\", which "
            "does not exist"));
  CHECK(has(refused_splits(R"({"a": ["data_off", "data_off"]})"),
            "split \"a\" names the task \"data_off\" twice"));
  CHECK(has(refused_splits(R"({"a": []})"), "split \"a\" is empty"));
  CHECK(has(refused_splits(R"({"a": [1]})"), "must be a list of task ids"));
  CHECK(has(refused_splits(R"({"a": {}})"), "must be a list of task ids"));
  CHECK(has(refused_splits("[]"), "must be an object of split names"));
  const small_store files;
  CHECK(has(files.refusal({.splits = {"tests"}}),
            "has no split \"tests\"; did you mean \"test\"? (splits: test, "
            "train)"));
}

TEST_CASE("only the splits that are played must be playable without a user") {
  const small_store files;
  auto text = small_tasks;
  const std::string ticket = R"("ticket": "Mobile data does not work.",)";
  text.replace(text.find(ticket), ticket.size(), "");
  files.write("tasks.json", text);
  CHECK(
      has(files.refusal(), "split \"train\": task \"data_off\" has no ticket"));
  const auto loaded =
      load_tau2("tau2-telecom", files.folder(), {.splits = {"test"}});
  REQUIRE(loaded.has_value());
  CHECK((*loaded)->make({"hand_over"}).has_value());
  const auto env = (*loaded)->make({"data_off"});
  REQUIRE_FALSE(env.has_value());
  CHECK(env.error().code == ec::environment);
  CHECK((*loaded)->open({"data_off"}, play_mode::with_user).has_value());
}

TEST_CASE("tasks that need a judge, history or replaced data are refused") {
  CHECK(has(refused_tasks(R"(["ENV_ASSERTION", "DB"])",
                          R"(["NL_ASSERTION"], "nl_assertions": ["polite"])"),
            "is graded by a language model"));
  const std::string state = R"("initial_state": {)";
  CHECK(has(refused_tasks(
                state, state + R"("initialization_data": {"user_data": {}},)"),
            "has initialization_data"));
  CHECK(has(
      refused_tasks(state, state + R"("message_history": [{"role": "user"}],)"),
      "has a message_history"));
}

TEST_CASE("the official data loads with the reference's state hashes") {
  const auto data = data_root() / "tau2-bench";
  if (!std::filesystem::is_directory(data)) {
    WARN("skipped: no official data in " << data.string());
    return;
  }
  const auto bench = load_tau2("tau2-telecom", data);
  if (!bench) FAIL(to_string(bench.error()));
  CHECK((*bench)->tasks().size() == 2285);
  CHECK((*bench)->splits().at("train").size() == 74);
  CHECK((*bench)->splits().at("test").size() == 40);
  CHECK((*bench)->of().initial()->agent_hash()
        == "304cf5ef059852e117ea801ab9a5efc24c9713ec887679dc2e30acceb4b6742d");
  CHECK((*bench)->of().initial()->user_hash()
        == "e1f3a8637388808221228ff3f87294444e6b64caf721f5eb243a85d0a9380b28");
  std::size_t solved = 0;
  for (const auto& info : (*bench)->tasks()) {
    auto env = (*bench)->make(info.id);
    if (!env) FAIL(to_string(env.error()));
    for (const auto& gold : *(*bench)->find(info.id)->criteria->actions)
      (*env)->call(gold.name, gold.arguments);
    solved += (*env)->grade()->reward == 1;
  }
  CHECK(solved == 2285); // the reference rewards every gold trajectory
}
