#include "base/file.hpp"
#include "base/rng.hpp"
#include "tests/fixtures/scratch.hpp"

#include <catch2/catch.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace brewery;
using Catch::Contains;
namespace fs = std::filesystem;

namespace {

std::size_t entries(const fs::path& folder) {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator{folder}, fs::directory_iterator{}));
}

std::string random_bytes(rng& draw, std::size_t size) {
  std::string out(size, '\0');
  for (auto& byte : out)
    byte = static_cast<char>(draw.below(256));
  return out;
}

} // namespace

TEST_CASE("a file reads back as it was written, whatever is in it") {
  const scratch at;
  rng draw{1};
  for (const std::size_t size : {0U, 1U, 4095U, 4096U, 4097U, 300'000U}) {
    INFO("size " << size);
    const auto bytes = random_bytes(draw, size);
    REQUIRE(write_file_atomically(at.path() / "f", bytes));
    const auto read = read_file(at.path() / "f");
    REQUIRE(read);
    CHECK((*read == bytes)); // not printed: it is binary
  }
  CHECK(entries(at.path()) == 1); // nothing is left beside it
}

TEST_CASE("writing replaces the whole file, also by a shorter one") {
  const scratch at;
  REQUIRE(write_file_atomically(at.path() / "f", "a long first version"));
  REQUIRE(write_file_atomically(at.path() / "f", "b"));
  CHECK(*read_file(at.path() / "f") == "b");
}

TEST_CASE("what cannot be written leaves the old content and nothing else") {
  const scratch at;
  const auto into_file = write_file_atomically(at.path() / "absent" / "f", "x");
  REQUIRE_FALSE(into_file);
  CHECK(into_file.error().code == ec::not_found);
  CHECK_THAT(into_file.error().message,
             Contains((at.path() / "absent").string()));

  fs::create_directories(at.path() / "folder" / "inner");
  const auto onto_folder = write_file_atomically(at.path() / "folder", "x");
  REQUIRE_FALSE(onto_folder);
  CHECK(onto_folder.error().code == ec::io);
  CHECK(fs::is_directory(at.path() / "folder" / "inner"));
  CHECK(entries(at.path()) == 1);
}

TEST_CASE(
    "a missing file, a folder and an error of the system are told apart") {
  const scratch at;
  const auto missing = read_file(at.path() / "none");
  REQUIRE_FALSE(missing);
  CHECK(missing.error().code == ec::not_found);
  CHECK_THAT(missing.error().message, Contains("none"));
  const auto folder = read_file(at.path());
  REQUIRE_FALSE(folder);
  CHECK(folder.error().code == ec::io);
  errno = ENOSPC;
  CHECK(file_error("write", "f").code == ec::disk_full);
  errno = EDQUOT;
  CHECK(file_error("write", "f").code == ec::disk_full);
  errno = EACCES;
  const auto denied = file_error("open", "f");
  CHECK(denied.code == ec::io);
  CHECK_THAT(denied.message, Contains("cannot open f: "));
  CHECK(file_error(ENOSPC, "write", "kb/a.md").message
        == "cannot write kb/a.md: No space left on device; free some space and "
           "try again");
}

TEST_CASE("who owns a file and who reads it decide what keeps a secret") {
  constexpr uid_t root = 0, me = 10001, other = 1000;
  struct row {
    mode_t mode;
    uid_t owner, reader;
    bool kept;
  };
  const row rows[] = {
      {0600, me, me, true},
      {0400, me, me, true},
      {0640, me, me, false},
      {0440, me, me, false},
      {0604, me, me, false},
      {0700, me, me, true},
      // A mounted Secret: root's, read through the group.
      {0440, root, me, true},
      {0640, root, me, true},
      {0400, root, me, true},
      {0444, root, me, false},
      {0644, root, me, false},
      {0660, root, me, false},
      {0450, root, me, false},
      {0441, root, me, false},
      {0442, root, me, false},
      {0640, other, me, false},
      {0440, other, me, false},
      {0600, other, me, true}, // it cannot open it
      {0440, root, root, false},
      {0640, root, root, false},
      {0600, root, root, true},
      {0440, other, root, false},
  };
  for (const auto& [mode, owner, reader, kept] : rows) {
    INFO(std::oct << mode << std::dec << " of " << owner << " read by "
                  << reader);
    CHECK(keeps_secret(mode, owner, reader) == kept);
    CHECK(keeps_secret(S_IFREG | mode, owner, reader) == kept);
  }
}

TEST_CASE("a link is replaced, and what it pointed to is left alone") {
  const scratch at;
  REQUIRE(write_file_atomically(at.path() / "target", "kept"));
  fs::create_symlink(at.path() / "target", at.path() / "link");
  REQUIRE(write_file_atomically(at.path() / "link", "new"));
  CHECK(*read_file(at.path() / "link") == "new");
  CHECK(*read_file(at.path() / "target") == "kept");
}

TEST_CASE("a link where a file is written first is not written through") {
  const scratch at;
  REQUIRE(write_file_atomically(at.path() / "target", "kept"));
  fs::create_symlink(at.path() / "target",
                     at.path() / ("f.new-" + std::to_string(::getpid())));
  REQUIRE(write_file_atomically(at.path() / "f", "new"));
  CHECK(*read_file(at.path() / "f") == "new");
  CHECK(*read_file(at.path() / "target") == "kept");
  CHECK(entries(at.path()) == 2);
  fs::create_symlink(at.path() / "target", at.path() / "link");
  CHECK_FALSE(write_synced_file(at.path() / "link", "new"));
  CHECK(*read_file(at.path() / "target") == "kept");
}

TEST_CASE("a plain file is no pipe, device or folder, and not too long") {
  const scratch at;
  const auto said = [](const fs::path& path, std::size_t bytes_max) {
    const auto read = read_plain_file(path, bytes_max);
    if (read) return *read;
    CHECK(read.error().code == ec::io);
    CHECK_THAT(read.error().message, Contains(path.string()));
    return read.error().message;
  };
  REQUIRE(write_file_atomically(at.path() / "f", "12345"));
  CHECK(said(at.path() / "f", 5) == "12345");
  CHECK_THAT(said(at.path() / "f", 4), Contains("longer than 4 bytes"));
  REQUIRE(::mkfifo((at.path() / "pipe").c_str(), 0600) == 0);
  fs::create_symlink("/dev/zero", at.path() / "zeros");
  for (const char* other : {"pipe", "zeros", ""})
    CHECK_THAT(said(at.path() / other, 5), Contains("is no plain file"));
  CHECK(read_plain_file(at.path() / "none").error().code == ec::not_found);
}

TEST_CASE("directories are made with their parents and may be there already") {
  const scratch at;
  REQUIRE(make_directories(at.path() / "a" / "b" / "c"));
  CHECK(fs::is_directory(at.path() / "a" / "b" / "c"));
  REQUIRE(make_directories(at.path() / "a" / "b" / "c"));
  REQUIRE(write_file_atomically(at.path() / "file", ""));
  const auto below_file = make_directories(at.path() / "file" / "d");
  REQUIRE_FALSE(below_file);
  CHECK_THAT(below_file.error().message, Contains("file"));
  // It answers ENOENT below a directory that is there.
  const auto nowhere = make_directories("/proc/brewery/spool");
  REQUIRE_FALSE(nowhere);
  CHECK_THAT(nowhere.error().message,
             Contains("cannot create directory /proc/brewery: "));
  CHECK_FALSE(sync_directory(at.path() / "absent"));
  CHECK(sync_directory(at.path()));
}

TEST_CASE("a descriptor is closed once, by its last owner") {
  const scratch at;
  REQUIRE(write_file_atomically(at.path() / "f", "x"));
  const int number = ::open((at.path() / "f").c_str(), O_RDONLY);
  REQUIRE(number >= 0);
  const auto open_now = [&] { return ::fcntl(number, F_GETFD) >= 0; };
  {
    file_descriptor first{number};
    file_descriptor second{std::move(first)};
    CHECK(second.get() == number);
    CHECK(static_cast<bool>(second));
    CHECK(open_now());
  }
  CHECK_FALSE(open_now());
  CHECK_FALSE(static_cast<bool>(file_descriptor{}));
}

TEST_CASE(
    "a working directory that was removed is an error, not an exception") {
  const auto before = fs::current_path();
  {
    const scratch folder;
    fs::current_path(folder.path());
    CHECK(working_directory());
  }
  const auto gone = working_directory();
  fs::current_path(before);
  REQUIRE_FALSE(gone);
  CHECK(gone.error().code == ec::not_found);
  CHECK(*working_directory() == before);
}
