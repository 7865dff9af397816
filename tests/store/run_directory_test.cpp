#include "base/file.hpp"
#include "store/run_directory.hpp"
#include "tests/store/scratch.hpp"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace brewery;
namespace fs = std::filesystem;

namespace {

/// 2024-06-11 15:30:12 UTC.
const std::chrono::system_clock::time_point half_past_three{
    std::chrono::seconds{1718119812}};

std::vector<std::string> ids_in(const fs::path& root) {
  const auto runs = run_directory::list(root);
  REQUIRE(runs);
  std::vector<std::string> ids;
  for (const auto& run : *runs)
    ids.push_back(run.id());
  return ids;
}

} // namespace

TEST_CASE("a run directory is made with its parents and its kb folder") {
  scratch dir;
  const auto run = run_directory::create(dir.path() / "a" / "b", "first");
  REQUIRE(run);
  CHECK(run->id() == "first");
  CHECK(run->path() == dir.path() / "a" / "b" / "first");
  CHECK(fs::is_directory(run->documents()));
  CHECK(run->config() == run->path() / "config.toml");
  CHECK(run->events() == run->path() / "events.db");
  CHECK(run->report() == run->path() / "report.md");
}

TEST_CASE("creating a run that exists is refused") {
  scratch dir;
  REQUIRE(run_directory::create(dir.path(), "first"));
  CHECK(contains(
      refusal(run_directory::create(dir.path(), "first"), ec::already_exists),
      "exists already"));
}

TEST_CASE("a run that could not begin leaves its id free") {
  scratch dir;
  const auto made = run_directory::create(dir.path(), "first");
  REQUIRE(made);
  // Directories in the way stand for any failure.
  const auto is_config = GENERATE(true, false);
  if (is_config)
    fs::create_directory(made->path()
                         / ("config.toml.new-" + std::to_string(::getpid())));
  else
    fs::create_directory(made->path() / "events.ack");
  CHECK_FALSE(begin_log(*made, "# nothing\n"));
  CHECK(fs::is_empty(dir.path()));
  const auto again = run_directory::create(dir.path(), "first");
  REQUIRE(again);
  REQUIRE(begin_log(*again, "# nothing\n"));
  CHECK(ids_in(dir.path()) == std::vector<std::string>{"first"});
}

TEST_CASE("a run that somebody else began to use is not removed") {
  scratch dir;
  const auto made = run_directory::create(dir.path(), "first");
  REQUIRE(made);
  const auto lock = directory_lock::take(made->path());
  REQUIRE(lock);
  refusal(begin_log(*made, "# nothing\n"), ec::in_use);
  CHECK(fs::exists(made->path()));
  CHECK_FALSE(fs::exists(made->config())); // it is not ours to write
}

TEST_CASE("a lock that is a link is refused, and its target left alone") {
  scratch dir;
  REQUIRE(write_file_atomically(dir.path() / "mine", "kept"));
  fs::create_symlink(dir.path() / "mine", dir.path() / "lock");
  CHECK(contains(refusal(directory_lock::take(dir.path()), ec::io),
                 (dir.path() / "lock").string() + " is a link"));
  CHECK(*read_file(dir.path() / "mine") == "kept");
}

TEST_CASE(
    "a directory whose maker was killed before the log leaves its id free") {
  scratch dir;
  const auto path = dir.path() / "first";
  const std::vector<std::vector<std::string>> left{
      {},
      {"kb/"},
      {"kb/", "config.toml.new-7"},
      {"kb/", "config.toml"},
      {"kb/", "config.toml", "lock"},
      {"kb/", "config.toml", "lock", "events.db.new", "events.db.new-journal"},
      {"kb/", "config.toml", "submission.json.new-7"}};
  for (const auto& names : left) {
    fs::create_directory(path);
    for (const auto& name : names)
      if (name.back() == '/')
        fs::create_directory(path / name);
      else
        std::ofstream{path / name} << "x";
    run_directory::discard_unbegun(dir.path(), "first");
    CHECK_FALSE(fs::exists(path));
  }
  run_directory::discard_unbegun(dir.path(), "first"); // nothing there
  CHECK(fs::is_empty(dir.path()));
}

TEST_CASE("a run whose maker was killed is begun by the next process") {
  scratch dir;
  const auto left = run_directory::create(dir.path(), "first");
  REQUIRE(left);
  for (const auto* name : {"lock", "config.toml", "events.db.new"})
    std::ofstream{left->path() / name} << "x";
  CHECK_FALSE(left->has_begun());
  const auto taken = run_directory::create_or_take(dir.path(), "first");
  REQUIRE(taken);
  REQUIRE(begin_log(*taken, "# nothing\n"));
  CHECK(*read_file(taken->config()) == "# nothing\n");
  CHECK(taken->has_begun());
  refusal(run_directory::create_or_take(dir.path(), "first"),
          ec::already_exists);
}

TEST_CASE("of two that begin the same run the first one has it") {
  scratch dir;
  const auto one = run_directory::create(dir.path(), "first");
  const auto other = run_directory::create_or_take(dir.path(), "first");
  REQUIRE(one);
  REQUIRE(other);
  const auto log = begin_log(*other, "# other\n");
  REQUIRE(log);
  refusal(begin_log(*one, "# one\n"), ec::in_use);
  CHECK(*read_file(one->config()) == "# other\n");
}

TEST_CASE("a run that another process began meanwhile is left alone") {
  scratch dir;
  const auto one = run_directory::create(dir.path(), "first");
  REQUIRE(one);
  REQUIRE(begin_log(*one, "# other\n")); // and ended
  refusal(begin_log(*one, "# one\n"), ec::already_exists);
  CHECK(*read_file(one->config()) == "# other\n");
}

TEST_CASE(
    "a directory with anything of value is not taken for an unbegun run") {
  scratch dir;
  const auto path = dir.path() / "first";
  for (const std::string name :
       {"events.db", "submission.json", "report.md", "kb/a.md", "notes"}) {
    fs::create_directories(path / "kb");
    std::ofstream{path / name} << "x";
    run_directory::discard_unbegun(dir.path(), "first");
    CHECK(fs::exists(path / name));
    fs::remove_all(path);
  }
}

TEST_CASE("an id that is no plain name is refused") {
  scratch dir;
  for (const auto* id : {"", ".", "..", ".hidden", "-rf", "a/b", "../up", "a b",
                         "tab\t", "ärger"}) {
    INFO(id);
    CHECK(contains(
        refusal(run_directory::create(dir.path(), id), ec::invalid_argument),
        "cannot be the id of a run"));
    CHECK(contains(
        refusal(run_directory::open(dir.path(), id), ec::invalid_argument),
        "cannot be the id of a run"));
  }
  CHECK(run_directory::create(dir.path(), std::string(64, 'x')));
  CHECK_FALSE(run_directory::create(dir.path(), std::string(65, 'x')));
}

TEST_CASE("a new id tells the time and is unique within a second") {
  scratch dir;
  const auto make = [&] {
    const auto run = run_directory::create_new(dir.path(), half_past_three);
    REQUIRE(run);
    return run->id();
  };
  CHECK(make() == "20240611-153012");
  CHECK(make() == "20240611-153012-2");
  CHECK(make() == "20240611-153012-3");
}

TEST_CASE("processes that start at once get different runs") {
  scratch dir;
  std::vector<pid_t> children;
  for (int i = 0; i < 8; ++i) {
    const auto child = ::fork();
    if (child == 0)
      ::_exit(run_directory::create_new(dir.path(), half_past_three) ? 0 : 1);
    children.push_back(child);
  }
  for (const auto child : children) {
    int status = 0;
    ::waitpid(child, &status, 0);
    CHECK(status == 0);
  }
  CHECK(std::distance(fs::directory_iterator{dir.path()}, {}) == 8);
}

TEST_CASE("the list holds runs only, in order of id") {
  scratch dir;
  CHECK(ids_in(dir.path() / "none").empty());
  for (const auto* id : {"b", "a", "c", "empty"}) {
    const auto run = run_directory::create(dir.path(), id);
    REQUIRE(run);
    if (std::string{id} != "empty")
      REQUIRE(write_file_atomically(run->config(), ""));
  }
  fs::create_directory(dir.path() / "not a run");
  std::ofstream{dir.path() / "file"} << "x";
  CHECK(ids_in(dir.path()) == std::vector<std::string>{"a", "b", "c"});
  CHECK(run_directory::open(dir.path(), "b")->id() == "b");
}

TEST_CASE("an unknown run is refused with the nearest id") {
  scratch dir;
  CHECK(contains(refusal(run_directory::open(dir.path(), "20240611-153012"),
                         ec::not_found),
                 "there are no runs yet"));
  const auto run = run_directory::create(dir.path(), "20240611-153012");
  REQUIRE(write_file_atomically(run->config(), ""));
  CHECK(contains(refusal(run_directory::open(dir.path(), "20240611-153021"),
                         ec::not_found),
                 "did you mean 20240611-153012?"));
  CHECK(contains(
      refusal(run_directory::open(dir.path(), "telecom"), ec::not_found),
      "the last one is 20240611-153012"));
}

TEST_CASE("the last run is the one that was made last, whatever its name") {
  scratch dir;
  auto made = fs::file_time_type::clock::now();
  for (const auto* id : {"zebra", "apple", "mango"}) {
    const auto run = run_directory::create(dir.path(), id);
    REQUIRE(write_file_atomically(run->config(), ""));
    fs::last_write_time(run->config(), made += std::chrono::seconds{1});
  }
  CHECK(contains(
      refusal(run_directory::open(dir.path(), "telecom"), ec::not_found),
      "the last one is mango"));
}

TEST_CASE("a file is replaced as a whole and leaves nothing beside it") {
  scratch dir;
  const auto file = dir.path() / "report.md";
  REQUIRE(write_file_atomically(file, "first"));
  CHECK(*read_file(file) == "first");
  const std::string big(300'000, 'x');
  REQUIRE(write_file_atomically(file, big));
  CHECK(*read_file(file) == big);
  CHECK(std::distance(fs::directory_iterator{dir.path()}, {}) == 1);
}

TEST_CASE("a file that cannot be written keeps its old content") {
  scratch dir;
  const auto file = dir.path() / "report.md";
  REQUIRE(write_file_atomically(file, "old"));
  // A directory in the way of the temporary file stands for any failure.
  fs::create_directory(dir.path()
                       / ("report.md.new-" + std::to_string(::getpid())));
  CHECK(contains(refusal(write_file_atomically(file, "new"), ec::io),
                 "report.md.new"));
  CHECK(*read_file(file) == "old");
  CHECK(contains(refusal(read_file(dir.path() / "none"), ec::not_found),
                 "cannot open"));
  CHECK(contains(refusal(read_file(dir.path()), ec::io), "cannot read"));
}

TEST_CASE("a full disk is told apart from other failures") {
  errno = ENOSPC;
  CHECK(file_error("write", "x").code == ec::disk_full);
  errno = EDQUOT;
  CHECK(file_error("write", "x").code == ec::disk_full);
  errno = EACCES;
  CHECK(file_error("write", "x").code == ec::io);
}

TEST_CASE("a directory below a file cannot be made") {
  scratch dir;
  std::ofstream{dir.path() / "file"} << "x";
  CHECK(contains(refusal(make_directories(dir.path() / "file" / "sub"), ec::io),
                 "cannot create directory"));
  CHECK(make_directories(dir.path()));
}
