/// What of a run's directory can be fetched, and what cannot be named.

#include "base/file.hpp"
#include "base/hash.hpp"
#include "store/directory_lock.hpp"
#include "store/run_files.hpp"
#include "tests/fixtures/scratch.hpp"

#include <catch2/catch.hpp>

using namespace brewery;
namespace fs = std::filesystem;

namespace {

struct fetched_run {
  scratch folder;
  run_directory run = *run_directory::create(folder.path(), "a");

  void write(const std::string& name, const std::string& text) const {
    fs::create_directories((run.path() / name).parent_path());
    REQUIRE(write_file_atomically(run.path() / name, text));
  }
  std::string names() const {
    const auto listed = list_run_files(run);
    REQUIRE(listed);
    std::string out;
    for (const auto& file : listed->files)
      out += (out.empty() ? "" : " ") + file.name;
    return out;
  }
};

} // namespace

TEST_CASE("a run's files are listed with part, size and hash", "[fetch]") {
  const fetched_run r;
  r.write("kb/mcts/doc.md", "text");
  r.write("report.md", "ok");
  r.write("events.db", std::string(600'000, 'x'));
  const auto listed = list_run_files(r.run);
  REQUIRE(listed);
  CHECK_FALSE(listed->log_in_use);
  CHECK(listed->files
        == std::vector<run_file>{
            {"events.db", run_part::log, 600'000,
             sha256_hex(std::string(600'000, 'x'))},
            {"kb/mcts/doc.md", run_part::documents, 4, sha256_hex("text")},
            {"report.md", run_part::report, 2, sha256_hex("ok")}});
}

TEST_CASE("files of one machine and links are not listed", "[fetch]") {
  const fetched_run r;
  r.write("report.md", "ok");
  r.write("submission.json", "{}");
  r.write("snapshots/mcts/events.db", "");
  r.write("events.db-shm", "");
  r.write("report.md.new-17", "half");
  r.write(".hidden/x.md", "x");
  r.write("../secret", "x");
  fs::create_symlink("../secret", r.run.path() / "link.md");
  fs::create_directory_symlink("..", r.run.path() / "up");
  CHECK(r.names() == "report.md");
}

TEST_CASE("a log that is being written is not listed", "[fetch]") {
  const fetched_run r;
  r.write("report.md", "ok");
  r.write("events.db", "x");
  r.write("models/events.db", "x");
  const auto writer = directory_lock::take(r.run.path());
  REQUIRE(writer);
  const auto listed = list_run_files(r.run);
  REQUIRE(listed);
  CHECK(listed->log_in_use);
  CHECK(r.names() == "report.md");
}

TEST_CASE("pieces of a file are read at any place", "[fetch]") {
  const fetched_run r;
  r.write("report.md", "0123456789");
  const auto piece = [&](std::uint64_t offset, std::size_t count) {
    return *read_run_file(r.run, "report.md", offset, count);
  };
  CHECK(piece(0, 4) == "0123");
  CHECK(piece(8, 4) == "89");
  CHECK(piece(10, 4).empty());
  CHECK(piece(std::uint64_t{1} << 40, 4).empty());
}

TEST_CASE("no name leads out of a run's directory", "[fetch]") {
  const fetched_run r;
  r.write("report.md", "ok");
  r.write("../secret", "x");
  fs::create_symlink("../secret", r.run.path() / "link.md");
  fs::create_directory_symlink("..", r.run.path() / "up");
  const auto* const name = GENERATE(
      "", ".", "..", "../secret", "kb/../../secret", "/etc/passwd", "link.md",
      "up/secret", "lock", "submission.json", "snapshots/mcts/events.db",
      "kb//x", "a\nb", "kb/.", "gone.md", "kb\\..\\x");
  INFO(name);
  CHECK_FALSE(read_run_file(r.run, name, 0, 10));
  CHECK_FALSE(read_run_file(r.run, std::string{"report.md\0x", 11}, 0, 10));
}
