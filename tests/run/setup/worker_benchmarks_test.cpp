/// The runners that a worker makes for searches, and when it makes none.

#include "config/print.hpp"
#include "messages/wire/codec.hpp"
#include "run/setup/job_runner_factory.hpp"
#include "run/setup/worker_benchmarks.hpp"
#include "tests/fixtures/scratch.hpp"

#include <catch2/catch.hpp>

#include <fstream>

using namespace brewery;
using Catch::Contains;

namespace {

const std::string telecom_data =
    std::string{BREWERY_SOURCE_DIR} + "/examples/telecom";

std::string fingerprint_here(const config& options) {
  const auto source = load_benchmark(options.environment);
  if (!source) FAIL(source.error().message);
  const auto made =
      make_job_runner(options, *source, std::make_shared<document_store>(),
                      std::make_shared<process_metrics>(), nullptr);
  if (!made) FAIL(made.error().message);
  return made->fingerprint;
}

/// As a coordinator sends it.
std::string setup_of(const config& options, const std::string& fingerprint) {
  return wire::encode(run_setup{fingerprint, to_toml(options)});
}

config toy_config() {
  config out;
  out.environment.kind = "toy";
  return out;
}

std::shared_ptr<worker_benchmarks>
offering(const std::vector<std::string>& offers) {
  auto out = worker_benchmarks::load(offers, spreadsheet::share::all);
  if (!out) FAIL(out.error().message);
  return *out;
}

} // namespace

TEST_CASE("a worker loads each environment it offers once") {
  const auto two = offering({"toy", "tau2-telecom=" + telecom_data});
  CHECK(two->by_kind().size() == 2);
  CHECK(two->by_kind().at("toy")->name() == "toy");
  CHECK_FALSE(
      worker_benchmarks::load({"toy", "tau3"}, spreadsheet::share::all));
  const auto nowhere = worker_benchmarks::load({"tau2-telecom=/nowhere"},
                                               spreadsheet::share::all);
  REQUIRE_FALSE(nowhere);
  CHECK_THAT(nowhere.error().message, Contains("/nowhere"));
}

TEST_CASE("a worker runs jobs of a search whose fingerprint it computes too") {
  const auto options = toy_config();
  const auto benchmarks = offering({"toy"});
  const auto runner =
      benchmarks->runner(setup_of(options, fingerprint_here(options)));
  REQUIRE(runner);
  CHECK((*runner)->tasks().name() == "toy");
}

TEST_CASE("a worker that would compute other results says both fingerprints") {
  const auto options = toy_config();
  const auto refused = offering({"toy"})->runner(setup_of(options, "another"));
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == ec::version_mismatch);
  CHECK_THAT(refused.error().message,
             Contains("'" + fingerprint_here(options) + "'")
                 && Contains("'another'"));
}

TEST_CASE("a set-up that cannot be used is refused with why") {
  const auto benchmarks = offering({"toy"});
  CHECK(benchmarks->runner("junk").error().code == ec::malformed);
  const auto text =
      benchmarks->runner(wire::encode(run_setup{"f", "[run]\nsede = 1\n"}));
  REQUIRE_FALSE(text);
  CHECK_THAT(text.error().message, Contains("set-up") && Contains("sede"));
  config other;
  other.environment.kind = "tau2-telecom";
  const auto none = benchmarks->runner(setup_of(other, "f"));
  REQUIRE_FALSE(none);
  CHECK(none.error().code == ec::not_found);
  CHECK_THAT(none.error().message,
             Contains("this worker has no environment tau2-telecom"));
}

TEST_CASE("a search plays by its own rules on the data of the worker") {
  config options;
  options.environment.kind = "tau2-telecom";
  options.environment.data = telecom_data;
  options.environment.tau2.max_errors = 9;
  const auto wanted = fingerprint_here(options);
  options.environment.data = "/only/there"; // on the coordinator's machine
  const auto benchmarks = offering({"tau2-telecom=" + telecom_data});
  const auto runner = benchmarks->runner(setup_of(options, wanted));
  REQUIRE(runner);
  CHECK(&(*runner)->tasks() != benchmarks->by_kind().at("tau2-telecom").get());
}

TEST_CASE("goldens do not matter where nothing is kept from who plays") {
  const auto options = toy_config();
  run_setup setup{fingerprint_here(options), to_toml(options)};
  setup.goldens = "others";
  CHECK(offering({"toy"})->runner(wire::encode(setup)));
}

namespace {

/// Of an embedder whose interpreter is not there: nothing can be started.
config with_sentence_model(const std::filesystem::path& folder) {
  for (const auto* name : {"model.onnx", "tokenizer.json"})
    std::ofstream{folder / name} << name;
  auto out = toy_config();
  out.embedder.kind = "sentence";
  out.embedder.model_file = folder / "model.onnx";
  return out;
}

} // namespace

TEST_CASE("a worker starts no sentence model that a set-up names") {
  const scratch folder;
  auto options = with_sentence_model(folder.path());
  const auto marker = folder.path() / "started";
  const auto program = folder.path() / "python";
  std::ofstream{program} << "#!/bin/sh\ntouch " << marker.string() << "\n";
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  options.embedder.python = program;
  const auto refused = offering({"toy"})->runner(setup_of(options, "any"));
  REQUIRE_FALSE(refused);
  CHECK_THAT(refused.error().message,
             Contains("this worker has no sentence model")
                 && Contains("--env toy=FILE.toml"));
  CHECK_FALSE(std::filesystem::exists(marker));
}

TEST_CASE("a worker whose own sentence model cannot work does not begin") {
  const scratch folder;
  auto options = with_sentence_model(folder.path());
  options.embedder.python = "no-such-python";
  const auto offer = folder.path() / "offer.toml";
  std::ofstream{offer} << to_toml(options);
  const auto made = worker_benchmarks::load({"toy=" + offer.string()},
                                            spreadsheet::share::all);
  REQUIRE_FALSE(made);
  CHECK_THAT(made.error().message,
             Contains("embedder.python = \"no-such-python\""));
}
