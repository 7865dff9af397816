#include "store/files.hpp"
#include "store/folder.hpp"
#include "tests/kb/support.hpp"

#include <catch2/catch.hpp>

#include <cerrno>
#include <csignal>
#include <sys/resource.h>
#include <sys/stat.h>

using namespace brewery;
using namespace brewery::test;

namespace {

knowledge_base sample() {
  return make_kb({{{0}, "No mobile data!", doc("# No mobile data!\n\nbody\n")},
                  {{12}, "Roaming", doc("# Roaming\nno line feed")}});
}

manifest facts() {
  manifest out;
  out.run_id = "r";
  out.seed = 7;
  manifest_document about;
  about.concept_ref = {12};
  about.reward = 0.75;
  about.parent = {"p"};
  about.evidence.push_back({1, {{{"i"}, "s", 2, {}}}});
  out.documents.push_back(about);
  return out;
}

} // namespace

TEST_CASE("slugs are lower-case words with hyphens") {
  CHECK(slug("No mobile data!") == "no-mobile-data");
  CHECK(slug("  4G/5G -- mode ") == "4g-5g-mode");
  CHECK(slug("...") == "concept");
  CHECK(slug("📶") == "concept");
  CHECK(slug("abc def", 4) == "abc");
  CHECK(slug("Schädlinge / Łódź") == "schadlinge-lodz");
  CHECK(slug("取扱説明書 4G") == "4g");
  CHECK(document_file_name({3}, "Roaming") == "03-roaming.md");
  CHECK(document_file_name({123}, "Roaming") == "123-roaming.md");
}

TEST_CASE("a knowledge base reads back as it was written") {
  const scratch_folder dir;
  const auto written = write_knowledge_base(dir / "kb", sample(), facts());
  REQUIRE(written);
  const auto read = read_knowledge_base(dir / "kb");
  REQUIRE(read);
  CHECK(read->warnings.empty());
  CHECK(read->kb.hash() == sample().hash());
  CHECK(read->kb.find({12})->title == "Roaming");
  CHECK(read->about.find({12})->reward == 0.75);
  CHECK(read->about.find({12})->file == "12-roaming.md");
  CHECK(read->about.find({0})->hash == sample().find({0})->doc->hash);
  CHECK(to_json_text(read->about) == to_json_text(*written));
}

TEST_CASE("a document file has its facts on top") {
  const scratch_folder dir;
  REQUIRE(write_knowledge_base(dir / "kb", sample(), facts()));
  const auto text = get(dir / "kb/12-roaming.md");
  CHECK(text
        == "---\nconcept: 12\ntitle: \"Roaming\"\nversion: \""
               + sample().find({12})->doc->hash.value
               + "\"\nparent: \"p\"\nreward: 0.75\ncorrectness: 0\n"
                 "retrieval: 0\nevidence: 1\n---\n# Roaming\nno line feed");
}

TEST_CASE("equal content gives equal bytes, and nothing else stays") {
  const scratch_folder dir;
  REQUIRE(write_knowledge_base(dir / "a", sample(), facts()));
  REQUIRE(write_knowledge_base(dir / "b", sample().without({0}), {}));
  put(dir / "b/stale.txt", "x");
  REQUIRE(write_knowledge_base(dir / "b", sample(), facts()));
  CHECK(count_entries(dir / "b") == 3);
  for (const auto& entry : fs::directory_iterator{dir / "a"})
    CHECK(get(entry.path()) == get(dir / "b" / entry.path().filename()));
  CHECK(count_entries(dir.path()) == 2); // no temporary folder left
}

TEST_CASE("a folder of somebody else is not replaced") {
  const scratch_folder dir;
  put(dir / "mine/letter.txt", "dear");
  const auto refused = write_knowledge_base(dir / "mine", sample(), {});
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == ec::already_exists);
  CHECK(get(dir / "mine/letter.txt") == "dear");
  put(dir / "file", "x");
  CHECK(write_knowledge_base(dir / "file", sample(), {}).error().code
        == ec::already_exists);
  fs::create_directory(dir / "empty");
  CHECK(write_knowledge_base(dir / "empty", sample(), {}));
}

TEST_CASE("a write that fails leaves the old folder as it was") {
  const scratch_folder dir;
  REQUIRE(write_knowledge_base(dir / "kb", sample(), facts()));
  const auto before = get(dir / "kb/manifest.json");
  // A file name that is too long for the file system fails half way.
  const std::vector<named_file> files{{"manifest.json", "new"},
                                      {std::string(300, 'x'), ""}};
  const auto failed = replace_folder(dir / "kb", files, "manifest.json");
  REQUIRE_FALSE(failed);
  CHECK(failed.error().code == ec::io);
  CHECK(get(dir / "kb/manifest.json") == before);
  CHECK(count_entries(dir.path()) == 1);
}

TEST_CASE("an empty folder is filled where it is, and stays as private") {
  namespace fs = std::filesystem;
  const scratch_folder dir;
  const auto mine = dir / "mine";
  const auto only_me = fs::perms::owner_all;
  const auto place = [&] {
    struct stat about {};
    REQUIRE(::stat(mine.c_str(), &about) == 0);
    return about.st_ino;
  };
  fs::create_directory(mine);
  fs::permissions(mine, only_me);
  const auto before = place();
  // A crash left what was to come.
  fs::create_directory(mine / ".brewery-new");
  REQUIRE(write_knowledge_base(mine, sample(), facts()));
  CHECK(place() == before);
  CHECK(read_knowledge_base(mine)->kb.hash() == sample().hash());
  // What replaces it is as private.
  REQUIRE(write_knowledge_base(mine, sample(), facts()));
  CHECK(fs::status(mine).permissions() == only_me);
  CHECK(count_entries(dir.path()) == 1);
}

TEST_CASE("an empty folder stays empty if it cannot be filled") {
  const scratch_folder dir;
  std::filesystem::create_directory(dir / "mine");
  const std::vector<named_file> files{{"manifest.json", "new"},
                                      {std::string(300, 'x'), ""}};
  CHECK_FALSE(replace_folder(dir / "mine", files, "manifest.json"));
  CHECK(count_entries(dir / "mine") == 0);
}

TEST_CASE("a write that stops half way leaves the old folder as it was") {
  const scratch_folder dir;
  REQUIRE(write_knowledge_base(dir / "kb", sample(), facts()));
  const auto large =
      sample().with({1}, "Large", doc("# Large\n" + std::string(100'000, 'x')));
  rlimit saved{};
  REQUIRE(getrlimit(RLIMIT_FSIZE, &saved) == 0);
  const rlimit small{50'000, saved.rlim_max};
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  REQUIRE(setrlimit(RLIMIT_FSIZE, &small) == 0);
  const auto failed = write_knowledge_base(dir / "kb", large, facts());
  REQUIRE(setrlimit(RLIMIT_FSIZE, &saved) == 0);
  std::signal(SIGXFSZ, handler);
  REQUIRE_FALSE(failed);
  CHECK(contains(failed.error().message, "01-large.md"));
  CHECK(read_knowledge_base(dir / "kb")->kb.hash() == sample().hash());
  CHECK(count_entries(dir.path()) == 1);
}

TEST_CASE("a left-over temporary folder does not disturb") {
  const scratch_folder dir;
  put(dir / ".kb.new/half", "written");
  REQUIRE(write_knowledge_base(dir / "kb/", sample(), {})); // with a slash
  CHECK(read_knowledge_base(dir / "kb"));
  CHECK(count_entries(dir.path()) == 1);
}

TEST_CASE("a document edited by hand is used, with a warning") {
  const scratch_folder dir;
  REQUIRE(write_knowledge_base(dir / "kb", sample(), facts()));
  put(dir / "kb/12-roaming.md", get(dir / "kb/12-roaming.md") + "more\n");
  const auto read = read_knowledge_base(dir / "kb");
  REQUIRE(read);
  REQUIRE(read->warnings.size() == 1);
  CHECK(contains(read->warnings[0], "12-roaming.md: edited by hand"));
  CHECK(contains(read->kb.find({12})->doc->body, "more"));
}

TEST_CASE("a missing document is refused by name") {
  const scratch_folder dir;
  REQUIRE(write_knowledge_base(dir / "kb", sample(), facts()));
  fs::remove(dir / "kb/12-roaming.md");
  const auto read = read_knowledge_base(dir / "kb");
  REQUIRE_FALSE(read);
  CHECK(read.error().code == ec::not_found);
  CHECK(contains(read.error().message, "12-roaming.md: the document of concept "
                                       "12 is missing"));
}

TEST_CASE("a document the manifest does not name is ignored, with a warning") {
  const scratch_folder dir;
  REQUIRE(write_knowledge_base(dir / "kb", sample(), facts()));
  put(dir / "kb/99-extra.md", "# Extra\n");
  const auto read = read_knowledge_base(dir / "kb");
  REQUIRE(read);
  CHECK(read->kb.size() == 2);
  REQUIRE(read->warnings.size() == 1);
  CHECK(contains(read->warnings[0], "99-extra.md: not in"));
}

TEST_CASE("a manifest cannot point outside its folder") {
  const scratch_folder dir;
  put(dir / "secret.md", "secret");
  for (const char* name : {"../secret.md", "/etc/passwd", "..", ""}) {
    manifest about;
    about.documents.push_back({});
    about.documents[0].file = name;
    put(dir / "kb/manifest.json", to_json_text(about));
    const auto read = read_knowledge_base(dir / "kb");
    REQUIRE_FALSE(read);
    CHECK(contains(read.error().message, "documents[0].file"));
  }
}

TEST_CASE("a manifest with two documents of one concept is refused") {
  const scratch_folder dir;
  REQUIRE(write_knowledge_base(dir / "kb", sample(), facts()));
  auto about = read_knowledge_base(dir / "kb")->about;
  about.documents.push_back(about.documents.front());
  put(dir / "kb/manifest.json", to_json_text(about));
  const auto read = read_knowledge_base(dir / "kb");
  REQUIRE_FALSE(read);
  CHECK(read.error().code == ec::malformed);
  CHECK(contains(read.error().message, "two documents for concept 0"));
}

TEST_CASE("a plain folder of Markdown is a knowledge base") {
  const scratch_folder dir;
  put(dir / "b.md", "# Second thing\n");
  put(dir / "a.md", "---\ntitle: First\n---\nno heading\n");
  put(dir / "c.md", "no heading\n");
  put(dir / "README.md", "about this folder");
  put(dir / "notes.txt", "not read");
  const auto read = read_knowledge_base(dir.path());
  REQUIRE(read);
  REQUIRE(read->kb.size() == 3);
  CHECK(read->kb.entries()[0].title == "First");
  CHECK(read->kb.entries()[0].doc->body == "no heading\n");
  CHECK(read->kb.entries()[1].title == "Second thing");
  CHECK(read->kb.entries()[2].title == "c");
  CHECK(read->kb.entries()[2].concept_ref == concept_id{2});
  CHECK(read->about.documents.empty());
  REQUIRE(read->warnings.size() == 1);
  CHECK(contains(read->warnings[0], "README.md"));
}

TEST_CASE("concept numbers of the front matter are kept when they are clear") {
  const scratch_folder dir;
  put(dir / "a.md", "---\nconcept: 7\n---\na");
  put(dir / "b.md", "---\nconcept: 2\n---\nb");
  CHECK(read_knowledge_base(dir.path())->kb.find({7})->doc->body == "a");
  put(dir / "c.md", "---\nconcept: 7\n---\nc"); // twice: by position
  CHECK(read_knowledge_base(dir.path())->kb.find({2})->doc->body == "c");
}

TEST_CASE("a folder without documents is refused") {
  const scratch_folder dir;
  CHECK(read_knowledge_base(dir.path()).error().code == ec::not_found);
  CHECK(read_knowledge_base(dir / "absent").error().code == ec::not_found);
}

TEST_CASE("a document that is too large or not text is refused") {
  const scratch_folder dir;
  put(dir / "a.md", std::string(document_bytes_max + 1, 'x'));
  const auto large = read_knowledge_base(dir.path());
  REQUIRE_FALSE(large);
  CHECK(contains(large.error().message, "more than"));
  put(dir / "a.md", "line\n\xff\n");
  const auto bytes = read_knowledge_base(dir.path());
  REQUIRE_FALSE(bytes);
  CHECK(contains(bytes.error().message, "line 2"));
}

TEST_CASE("a folder that cannot be looked into is not said to be empty") {
  const scratch_folder dir;
  // A link to itself stands for any failure, also where a test may read all.
  std::filesystem::create_symlink("manifest.json",
                                  dir.path() / "manifest.json");
  const auto read = read_knowledge_base(dir.path());
  REQUIRE_FALSE(read);
  CHECK(read.error().code == ec::io);
  CHECK(contains(read.error().message,
                 "cannot read " + dir.path().string() + ": Too"));
}
