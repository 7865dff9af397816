/// A sentence model whose process fails, and the files that it is made of.

#include "roles/sentence/model_files.hpp"
#include "roles/sentence/sentence_embedder.hpp"
#include "tests/envs/external/fake.hpp"
#include "tests/fixtures/text.hpp"
#include "tests/roles/support.hpp"

using namespace brewery;
using namespace brewery::test;
using namespace std::chrono_literals;
using sentence::sentence_model;

namespace {

const lines some_texts{"hops", "malt and hops", "", "yeast", "Wasser"};

struct fake_model {
  scratch folder;
  sentence::model_settings settings;
  std::shared_ptr<sentence_model> model;

  explicit fake_model(const lines& words = {},
                      std::chrono::milliseconds reply_timeout = 60s) {
    settings.file = "hops.onnx";
    settings.identity = "none";
    settings.python = "python3";
    settings.reply_timeout = reply_timeout;
    auto& service = settings.service;
    service.name = "sentence model";
    service.hello_member = "sentence";
    service.start_timeout = 60s;
    service.command.words = {"python3",
                             std::string{BREWERY_SOURCE_DIR}
                                 + "/tests/roles/sentence/fake_sentence.py",
                             "--log", log().string()};
    service.command.words.insert(service.command.words.end(), words.begin(),
                                 words.end());
    service.command.variables = {{"PATH", std::getenv("PATH")}};
    model = std::make_shared<sentence_model>(settings);
  }

  [[nodiscard]] std::filesystem::path log() const {
    return folder.path() / "log";
  }

  [[nodiscard]] int logged(const std::string& what) const {
    std::ifstream in{log()};
    int count = 0;
    for (std::string word; in >> word;)
      count += word == what ? 1 : 0;
    return count;
  }

  [[nodiscard]] result<sentence::vectors> embed(const lines& texts = some_texts,
                                                std::size_t batch = 1) const {
    return sentence_embedder{model, batch}.embed(texts, any_job());
  }
};

bool gives(const fake_model& fake, const sentence::vectors& expected) {
  const auto got = fake.embed();
  return got && *got == expected;
}

sentence::vectors undisturbed() {
  const fake_model fake;
  auto got = fake.embed();
  REQUIRE(got);
  return *got;
}

bool one_line(const std::string& text) {
  return text.find('\n') == std::string::npos;
}

lines failing(std::size_t first, std::size_t last, const char* how) {
  return {"--fail", std::to_string(first), std::to_string(last), how};
}

} // namespace

TEST_CASE("texts go to a sentence model in batches and keep their order") {
  for (const std::size_t batch : {1, 2, 5, 1000}) {
    const fake_model fake;
    const auto got = fake.embed(some_texts, batch);
    REQUIRE(got);
    CHECK(*got == undisturbed());
    const auto batches = (some_texts.size() + batch - 1) / batch;
    CHECK(fake.logged("request") == static_cast<int>(batches));
    CHECK(fake.logged("start") == 1);
  }
  const fake_model fake;
  const auto none = fake.embed({});
  REQUIRE(none);
  CHECK(none->empty());
  CHECK(fake.logged("start") == 0); // it starts when it is needed
}

TEST_CASE(
    "whichever request a sentence model breaks at, the vectors are whole") {
  const auto expected = undisturbed();
  for (const auto* how : {"die", "garbage", "other-id", "nan", "error", "hang"})
    for (std::size_t n = 1; n <= some_texts.size(); ++n) {
      INFO(how << " at request " << n);
      const bool hangs = std::string_view{how} == "hang";
      const fake_model fake{failing(n, n, how), hangs ? 2000ms : 60'000ms};
      const auto got = fake.embed();
      if (!got) FAIL(got.error().message);
      CHECK(*got == expected);
      const bool stays = std::string_view{how} == "error";
      CHECK(fake.model->restarts() == (stays ? 0U : 1U));
      CHECK(fake.logged("start") == (stays ? 1 : 2));
    }
}

TEST_CASE("wrong vectors are refused in one line, whichever they are") {
  const std::vector<std::pair<const char*, const char*>> cases{
      {"short", "has 2 numbers, expected 3"},
      {"null", "has null among its numbers"},
      {"long", "has the length 2"},
      {"zero", "has the length 0, expected 1"},
      {"fewer", "gave 0 vectors for 1 texts"},
      {"none", "gave 0 vectors for 1 texts"},
      {"text", "gave 0 vectors for 1 texts"}};
  for (const auto& [how, words] : cases)
    for (std::size_t n = 1; n <= some_texts.size(); ++n) {
      INFO(how << " at request " << n);
      const fake_model fake{failing(n, n, how)};
      const auto got = fake.embed();
      REQUIRE_FALSE(got);
      CHECK(got.error().code == ec::malformed);
      CHECK(contains(got.error().message, words));
      CHECK(contains(got.error().message, "embedder: "));
      CHECK(one_line(got.error().message));
      CHECK(gives(fake, undisturbed())); // it goes on
    }
}

TEST_CASE("a sentence model that breaks at every request is given up") {
  for (const auto* how : {"die", "garbage", "error"}) {
    INFO(how);
    const fake_model fake{failing(1, 100, how)};
    const auto got = fake.embed();
    REQUIRE_FALSE(got);
    INFO(got.error().message);
    CHECK((got.error().code == ec::environment
           || got.error().code == ec::exhausted));
    CHECK(contains(got.error().message, "sentence model"));
    CHECK(one_line(got.error().message));
    CHECK(fake.logged("request") == 2);
  }
}

TEST_CASE("a sentence model that cannot work says which option to change") {
  const auto refusal = [](const char* hello) {
    const fake_model fake{{"--hello", hello}};
    const auto about = fake.model->about();
    REQUIRE_FALSE(about);
    const auto got = fake.embed();
    REQUIRE_FALSE(got);
    CHECK(got.error().message == about.error().message);
    CHECK(one_line(about.error().message));
    return about.error().message;
  };
  CHECK(contains(refusal("file"),
                 "embedder.model_file = \"hops.onnx\": it is a novel"));
  CHECK(contains(refusal("python"),
                 "embedder.python = \"python3\": it has no package hops"));
  CHECK(contains(refusal("silly"), "does not say how long"));
  CHECK(contains(refusal("dead"), "the parts do not fit"));
}

TEST_CASE("a cancelled job asks a sentence model nothing more") {
  const fake_model fake;
  const std::atomic<bool> cancelled{true};
  job_context context{{"j"}, 0, &cancelled};
  const auto got = sentence_embedder{fake.model, 2}.embed(some_texts, context);
  REQUIRE_FALSE(got);
  CHECK(got.error().code == ec::cancelled);
  CHECK(fake.logged("start") == 0);
}

TEST_CASE("texts beyond what a line holds are parted or refused") {
  const fake_model fake;
  const std::string big(1'500'000, '\n'); // two bytes each in JSON
  const auto got = fake.embed({big, big, "hops"}, 64);
  REQUIRE(got);
  CHECK(fake.logged("request") == 2);
  const auto refused = fake.embed({"hops", big + big}, 64);
  REQUIRE_FALSE(refused);
  CHECK(contains(refused.error().message, "text 2 of 2 has 3000000 bytes"));
}

TEST_CASE("slots share a sentence model, and it ends with the last of them") {
  fake_model fake;
  fake.model = sentence_model::shared(fake.settings);
  CHECK(sentence_model::shared(fake.settings) == fake.model);
  auto other = fake.settings;
  other.identity = "other";
  CHECK(sentence_model::shared(other) != fake.model);
  const auto expected = undisturbed();
  std::atomic<int> wrong = 0;
  std::vector<std::thread> slots(8);
  for (auto& slot : slots)
    slot = std::thread{[&] { wrong += gives(fake, expected) ? 0 : 1; }};
  for (auto& slot : slots)
    slot.join();
  CHECK(wrong == 0);
  CHECK(fake.logged("start") == 1);
  fake.model.reset();
  fake.model = sentence_model::shared(fake.settings);
  CHECK(gives(fake, expected));
  CHECK(fake.logged("start") == 2);
}

namespace {

/// A folder as sentence-transformers keeps one, of files that are none.
struct model_folder {
  scratch folder;
  std::filesystem::path model = folder.path() / "model.safetensors";

  model_folder() {
    write("model.safetensors", "weights");
    write("tokenizer.json", "{}");
  }
  void write(const std::string& name, const std::string& text) const {
    const auto path = folder.path() / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream{path} << text;
  }
  [[nodiscard]] std::string identity() const {
    const auto got = sentence::files_identity(model);
    if (!got) FAIL(got.error().message);
    return *got;
  }
  [[nodiscard]] std::string problem() const {
    const auto got = sentence::files_identity(model);
    REQUIRE_FALSE(got);
    CHECK(one_line(got.error().message));
    return got.error().message;
  }
  [[nodiscard]] embedder_options options() const {
    embedder_options out;
    out.kind = "sentence";
    out.model_file = model;
    return out;
  }
};

} // namespace

TEST_CASE("a sentence model is known by all files that its vectors depend on") {
  const model_folder files;
  std::set<std::string> seen{files.identity()};
  for (const auto* name :
       {"model.safetensors", "tokenizer.json", "config.json", "modules.json",
        "sentence_bert_config.json", "1_Pooling/config.json",
        "config_sentence_transformers.json"}) {
    INFO(name);
    files.write(name, "[]");
    CHECK(seen.insert(files.identity()).second);
  }
  files.write("README.md", "beer");
  CHECK(seen.contains(files.identity()));
  model_folder elsewhere; // above the folder of the model
  std::filesystem::create_directory(elsewhere.folder.path() / "onnx");
  elsewhere.model = elsewhere.folder.path() / "onnx/model.onnx";
  elsewhere.write("onnx/model.onnx", "weights");
  CHECK(seen.insert(elsewhere.identity()).second);
  elsewhere.write("tokenizer.json", "[]");
  CHECK(seen.insert(elsewhere.identity()).second);
}

TEST_CASE("a missing or wrong file of a sentence model is named") {
  model_folder files;
  std::filesystem::remove(files.folder.path() / "tokenizer.json");
  CHECK(contains(files.problem(), "there is no"));
  CHECK(contains(files.problem(), "tokenizer.json"));
  files.model = files.folder.path() / "no.onnx";
  CHECK(contains(files.problem(), "no.onnx\": there is no such file; name the "
                                  "model.safetensors or model.onnx"));
  files.model = files.folder.path();
  CHECK(contains(files.problem(), "there is no such file"));
  files.write("model.gguf", "");
  files.model = files.folder.path() / "model.gguf";
  CHECK(contains(files.problem(), "it is of another kind"));
}

TEST_CASE("an interpreter that is not there is named, with what to install") {
  const model_folder files;
  for (const auto* python :
       {"no-such-python", "no/such/python", "/etc/passwd"}) {
    auto options = files.options();
    options.python = python;
    const auto got = sentence::try_model(options);
    REQUIRE_FALSE(got);
    CHECK(contains(got.error().message, std::string{"embedder.python = \""}
                                            + python + "\": there is no"));
    CHECK(contains(got.error().message, "pip install onnxruntime tokenizers"));
    CHECK(one_line(got.error().message));
  }
}

namespace {

/// What the service itself says.
std::string refusal_by_service(const sentence::model_settings& settings) {
  const auto got = sentence_model{settings}.about();
  REQUIRE_FALSE(got);
  return got.error().message;
}

} // namespace

TEST_CASE("the service knows the files as brewery does, and no key") {
  const model_folder files;
  files.write("config.json", "{}");
  const auto settings = sentence::settings_of(files.options());
  REQUIRE(settings);
  for (const auto& [name, value] : settings->service.command.variables)
    CHECK((name.starts_with("BREWERY_")
           || std::set<std::string>{"PATH", "LANG", "HOME", "HF_HUB_OFFLINE",
                                    "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS",
                                    "TOKENIZERS_PARALLELISM"}
                  .contains(name)));
  // The weights are none: with the packages or without, it cannot work.
  const auto same = refusal_by_service(*settings);
  INFO(same);
  CHECK_FALSE(contains(same, "changed since"));
  CHECK(one_line(same));
  CHECK((contains(same, "it has no package")
         || contains(same, "embedder.model_file")));
  files.write("1_Pooling/config.json", "{}");
  CHECK(contains(refusal_by_service(*settings), "changed since brewery began"));
}
