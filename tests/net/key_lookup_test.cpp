/// A key is found by few files, and never later than it is written.

#include "base/file.hpp"
#include "net/key_lookup.hpp"
#include "tests/net/cluster_port.hpp"

#include <array>
#include <sys/inotify.h>
#include <unistd.h>

using namespace brewery;
using namespace brewery::test;

namespace fs = std::filesystem;

namespace {

/// How many files of a folder were opened since it was asked last.
class opened_files {
public:
  explicit opened_files(const fs::path& folder)
      : watch_{::inotify_init1(IN_NONBLOCK | IN_CLOEXEC)} {
    REQUIRE(::inotify_add_watch(watch_.get(), folder.c_str(), IN_OPEN) >= 0);
  }
  std::size_t count() {
    std::size_t out = 0;
    alignas(inotify_event) std::array<char, 65536> events{};
    for (;;) {
      const auto size = ::read(watch_.get(), events.data(), events.size());
      if (size <= 0) return out;
      for (std::size_t at = 0; at < static_cast<std::size_t>(size);) {
        const auto* event =
            reinterpret_cast<const inotify_event*>(events.data() + at);
        out += (event->mask & IN_ISDIR) == 0 ? 1 : 0;
        at += sizeof *event + event->len;
      }
    }
  }

private:
  file_descriptor watch_;
};

/// A worker's key is allowed under the name `w`, and others are.
struct lookup_case : key_ring {
  fs::path allowed = folder.path() / "allowed";
  key_lookup lookup{folder.path()};
  std::string key = pair("w").public_key;

  lookup_case() {
    for (int i = 0; i < 20; ++i)
      REQUIRE(keys.create("other" + std::to_string(i), peer_kind::worker));
  }
  /// "": nobody of this key may connect; "?": that cannot be said.
  std::string found() {
    const auto peer = lookup.find(key);
    if (!peer) return "?";
    if (!*peer || (*peer)->revoked) return "";
    return std::string{to_string((*peer)->role)} + " " + (*peer)->name;
  }
};

} // namespace

TEST_CASE("a key that is where it was costs one file, whatever others are") {
  lookup_case c;
  opened_files opened{c.allowed};
  REQUIRE(c.found() == "worker w");
  CHECK(opened.count() == 21);
  CHECK(c.found() == "worker w");
  CHECK(opened.count() == 1);
  // The first reading was for all.
  CHECK(c.lookup.find(c.pair("other7").public_key)->has_value());
  CHECK(opened.count() == 1);
}

TEST_CASE("what becomes of a key is known at the next look") {
  lookup_case c;
  REQUIRE(c.found() == "worker w");
  const auto file = c.allowed / "w.pub";
  SECTION("revoked") {
    REQUIRE(c.keys.revoke("w"));
    CHECK(c.found().empty());
  }
  SECTION("removed") {
    fs::remove(file);
    CHECK(c.found().empty());
  }
  SECTION("under another name") {
    fs::rename(file, c.allowed / "x.pub");
    CHECK(c.found() == "worker x");
  }
  SECTION("another key in its file, of the same size and time") {
    const auto time = fs::last_write_time(file);
    REQUIRE(write_file_atomically(file, "worker " + make_curve_pair().public_key
                                            + "\n"));
    fs::last_write_time(file, time);
    CHECK(c.found().empty());
  }
  SECTION("another role") {
    REQUIRE(write_file_atomically(file, "operator " + c.key + "\n"));
    CHECK(c.found() == "operator w");
  }
  SECTION("the folder is away, and back") {
    fs::rename(c.allowed, c.folder.path() / "aside");
    CHECK(c.found() == "?");
    fs::rename(c.folder.path() / "aside", c.allowed);
    CHECK(c.found() == "worker w");
  }
  SECTION("its file is broken, and mended") {
    REQUIRE(write_file_atomically(file, "worker " + c.key.substr(9) + "\n"));
    CHECK(c.found() == "?");
    REQUIRE(write_file_atomically(file, "worker " + c.key + "\n"));
    CHECK(c.found() == "worker w");
  }
}

TEST_CASE("a key that is new is found though it was not there before") {
  lookup_case c;
  REQUIRE(c.found() == "worker w");
  REQUIRE(c.keys.create("late", peer_kind::worker));
  const auto late = c.lookup.find(c.pair("late").public_key);
  REQUIRE(late);
  REQUIRE(late->has_value());
  CHECK((*late)->name == "late");
}

TEST_CASE("many keys are found by one reading") {
  lookup_case c;
  REQUIRE(c.found() == "worker w");
  opened_files opened{c.allowed};
  std::vector<std::string> all;
  for (int i = 0; i < 20; ++i)
    all.push_back(c.pair("other" + std::to_string(i)).public_key);
  for (const auto& peer : c.lookup.find(all))
    CHECK((peer && peer->has_value()));
  CHECK(opened.count() == 21);
}
