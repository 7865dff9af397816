#include "base/hash.hpp"
#include "store/spool.hpp"
#include "tests/store/scratch.hpp"

using namespace brewery;
namespace fs = std::filesystem;

namespace {

constexpr std::size_t plenty = std::size_t{1} << 20;

/// As workers are called that have a spool.
std::string id_of(const std::string& name) {
  return content_hash(name).substr(0, 16);
}

spooled_result item_of(const std::string& job, const std::string& text,
                       std::uint64_t attempt = 1) {
  return {{{"s"}, {job}, attempt, 3}, text, {}};
}

std::unique_ptr<spool> opened(const fs::path& root, const std::string& name,
                              std::size_t bytes_max = plenty) {
  auto made = spool::open(root, id_of(name), bytes_max);
  if (!made) FAIL(to_string(made.error()));
  return std::move(*made);
}

/// What a worker leaves behind that put these there and was killed.
void leave_behind(const fs::path& root, const std::string& name,
                  const std::vector<spooled_result>& items) {
  const auto of_the_dead = opened(root, name);
  for (const auto& item : items)
    REQUIRE(of_the_dead->put(item));
}

std::vector<fs::path> files_in(const fs::path& folder,
                               std::string_view starting) {
  std::vector<fs::path> out;
  for (const auto& entry : fs::directory_iterator{folder})
    if (entry.path().filename().string().starts_with(starting))
      out.push_back(entry.path());
  std::sort(out.begin(), out.end());
  return out;
}

void write(const fs::path& path, const std::string& bytes) {
  std::ofstream{path, std::ios::binary} << bytes;
}

std::vector<std::string> jobs_of(const std::vector<spooled_result>& items) {
  std::vector<std::string> out;
  for (const auto& item : items)
    out.push_back(item.key.job.value);
  std::sort(out.begin(), out.end());
  return out;
}

} // namespace

TEST_CASE("what is put into the spool is there after a restart, whole") {
  scratch dir;
  std::vector<spooled_result> items;
  for (std::uint64_t n = 0; n < 20; ++n)
    items.push_back({{{"s"}, {std::to_string(n)}, n, 3},
                     sample_row(n).payload,
                     n % 2 == 0 ? "" : "it broke"});
  leave_behind(dir.path(), "w", items);
  const auto again = opened(dir.path(), "w");
  std::vector<std::string> notes;
  auto found = again->take_over(notes);
  CHECK(notes.empty());
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
    return a.key.attempt < b.key.attempt;
  });
  CHECK(found == items);
  CHECK(again->bytes() > 0);
}

TEST_CASE("a result that cannot be read now stays for a later worker") {
  scratch dir;
  leave_behind(dir.path(), "w", {item_of("a", "A"), item_of("b", "B")});
  const auto file = files_in(dir.path() / id_of("w"), "result-").front();
  fs::rename(file, dir.path() / "away");
  fs::create_symlink(file, file); // which leads nowhere
  std::vector<std::string> notes;
  CHECK(opened(dir.path(), "x")->take_over(notes).size() == 1);
  REQUIRE(notes.size() == 1);
  CHECK(contains(notes[0], "cannot open " + file.string()));
  REQUIRE(fs::remove(file)); // it is where it was
  fs::rename(dir.path() / "away", file);
  notes.clear();
  CHECK(jobs_of(opened(dir.path(), "y")->take_over(notes))
        == std::vector<std::string>{"a", "b"});
  CHECK(notes.empty());
}

TEST_CASE("a removed result is gone, another is not") {
  scratch dir;
  {
    const auto own = opened(dir.path(), "w");
    REQUIRE(own->put(item_of("a", "A")));
    const auto bytes = own->bytes();
    REQUIRE(own->put(item_of("b", "B")));
    own->remove({{"s"}, {"b"}, 9, 9}); // of whatever attempt
    CHECK(own->bytes() == bytes);
    own->remove({{"s"}, {"b"}, 1, 3});
    own->remove({{"s"}, {"never there"}, 1, 3});
    CHECK(own->bytes() == bytes);
  }
  std::vector<std::string> notes;
  CHECK(jobs_of(opened(dir.path(), "w")->take_over(notes))
        == std::vector<std::string>{"a"});
}

TEST_CASE("an empty spool leaves no directory behind") {
  scratch dir;
  {
    const auto own = opened(dir.path() / "deep" / "root", "w");
    CHECK(fs::is_directory(dir.path() / "deep" / "root" / id_of("w")));
    REQUIRE(own->put(item_of("a", "A")));
    own->remove(item_of("a", "A").key);
    CHECK(own->bytes() == 0);
  }
  CHECK_FALSE(fs::exists(dir.path() / "deep" / "root" / id_of("w")));
}

TEST_CASE("the results of workers that died are taken over") {
  scratch dir;
  leave_behind(dir.path(), "dead1", {item_of("a", "A"), item_of("b", "B")});
  leave_behind(dir.path(), "dead2", {item_of("c", "C")});
  std::size_t bytes = 0;
  {
    const auto next = opened(dir.path(), "next");
    std::vector<std::string> notes;
    CHECK(jobs_of(next->take_over(notes))
          == std::vector<std::string>{"a", "b", "c"});
    CHECK(notes.empty());
    bytes = next->bytes();
    CHECK_FALSE(fs::exists(dir.path() / id_of("dead1")));
    CHECK_FALSE(fs::exists(dir.path() / id_of("dead2")));
    next->remove(item_of("b", "B").key);
    CHECK(next->bytes() < bytes);
  }
  // They are as durable as before.
  std::vector<std::string> notes;
  CHECK(jobs_of(opened(dir.path(), "last")->take_over(notes))
        == std::vector<std::string>{"a", "c"});
}

TEST_CASE("what is no folder keeps nobody from the results beside it") {
  scratch dir;
  leave_behind(dir.path(), "dead", {item_of("a", "A")});
  const auto loop = dir.path() / id_of("loop");
  fs::create_symlink(loop, loop); // which leads nowhere
  write(dir.path() / id_of("file"), "text");
  std::vector<std::string> notes;
  CHECK(jobs_of(opened(dir.path(), "next")->take_over(notes))
        == std::vector<std::string>{"a"});
  CHECK(notes.empty());
}

TEST_CASE("the results of a worker that lives are its own business") {
  scratch dir;
  const auto alive = opened(dir.path(), "alive");
  REQUIRE(alive->put(item_of("a", "A")));
  leave_behind(dir.path(), "dead", {item_of("b", "B")});
  const auto next = opened(dir.path(), "next");
  std::vector<std::string> notes;
  CHECK(jobs_of(next->take_over(notes)) == std::vector<std::string>{"b"});
  CHECK(notes.empty());
  CHECK(files_in(dir.path() / id_of("alive"), "result-").size() == 1);
}

TEST_CASE("only one can have a spool of a name at a time") {
  scratch dir;
  {
    const auto own = opened(dir.path(), "w");
    CHECK(contains(
        refusal(spool::open(dir.path(), id_of("w"), plenty), ec::in_use),
        "is in use by"));
    CHECK(spool::open(dir.path(), id_of("v"), plenty));
  }
  CHECK(spool::open(dir.path(), id_of("w"), plenty));
}

TEST_CASE("a full spool refuses a result until there is room") {
  scratch dir;
  const auto own = opened(dir.path(), "w", 1000);
  REQUIRE(own->put(item_of("a", std::string(500, 'a'))));
  const auto bytes = own->bytes();
  const auto big = item_of("b", std::string(500, 'b'));
  CHECK(contains(refusal(own->put(big), ec::exhausted),
                 "with this result it would be more than 1000"));
  CHECK(own->bytes() == bytes);
  CHECK(files_in(dir.path() / id_of("w"), "result-").size() == 1);
  CHECK(own->put(item_of("c", "small")));
  own->remove({{"s"}, {"a"}, 1, 3});
  CHECK(own->put(big));
  CHECK(own->bytes() <= 1000);
}

TEST_CASE("a full spool whose files were deleted has room again") {
  scratch dir;
  const auto root = dir.path() / "spool";
  const auto own = opened(root, "w", 1000); // room for two
  const auto item = [](const std::string& job) {
    return item_of(job, std::string(300, 'x'));
  };
  const auto fill = [&] {
    REQUIRE(own->put(item("a")));
    REQUIRE(own->put(item("b")));
    REQUIRE_FALSE(own->put(item("c")));
  };
  fill();
  fs::remove_all(root);
  REQUIRE(own->put(item("c")));
  for (const auto& file : files_in(root / id_of("w"), "result-"))
    fs::remove(file);
  fill();
  for (const auto& file : files_in(root / id_of("w"), "result-"))
    fs::remove(file);
  fill();
}

TEST_CASE("a second result of one job replaces the first and counts once") {
  scratch dir;
  {
    const auto own = opened(dir.path(), "w", 1000);
    REQUIRE(own->put(item_of("a", std::string(400, 'x'), 1)));
    const auto bytes = own->bytes();
    for (std::uint64_t attempt = 2; attempt < 20; ++attempt)
      REQUIRE(own->put(item_of("a", std::string(400, 'y'), attempt)));
    CHECK(own->bytes() == bytes);
    own->remove(item_of("a", "").key);
    CHECK(own->bytes() == 0);
  }
  // The same job from two workers that died.
  leave_behind(dir.path(), "dead1", {item_of("a", "one", 1)});
  leave_behind(dir.path(), "dead2", {item_of("a", "two", 2)});
  const auto next = opened(dir.path(), "next");
  std::vector<std::string> notes;
  CHECK(next->take_over(notes).size() == 2);
  CHECK(files_in(dir.path() / id_of("next"), "result-").size() == 1);
  next->remove(item_of("a", "").key);
  CHECK(next->bytes() == 0);
}

TEST_CASE("an entry with any byte changed is set aside and reported") {
  scratch dir;
  leave_behind(dir.path(), "dead", {item_of("a", "some result")});
  const auto file = files_in(dir.path() / id_of("dead"), "result-").at(0);
  const auto whole = *read_file(file);
  for (std::size_t at = 0; at < whole.size(); ++at)
    for (const unsigned mask : {0x01u, 0x20u, 0x80u, 0xffu}) {
      INFO("byte " << at << " mask " << mask);
      auto damaged = whole;
      damaged[at] =
          static_cast<char>(static_cast<unsigned char>(damaged[at]) ^ mask);
      fs::remove_all(dir.path() / id_of("dead"));
      fs::create_directory(dir.path() / id_of("dead"));
      write(file, damaged);
      const auto next = opened(dir.path(), "next");
      std::vector<std::string> notes;
      REQUIRE(next->take_over(notes).empty());
      REQUIRE(notes.size() == 1);
      CHECK(contains(notes[0], file.string() + " is set aside: "));
      CHECK_FALSE(contains(notes[0], "\n"));
      CHECK(next->bytes() == 0);
      const auto aside =
          files_in(dir.path() / id_of("dead"), "damaged-result-");
      REQUIRE(aside.size() == 1);
      CHECK(*read_file(aside[0]) == damaged);
    }
}

TEST_CASE("an entry that is cut off is set aside, the others are delivered") {
  scratch dir;
  leave_behind(dir.path(), "dead", {item_of("a", "some result")});
  const auto file = files_in(dir.path() / id_of("dead"), "result-").at(0);
  const auto whole = *read_file(file);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    INFO("cut to " << size);
    fs::remove_all(dir.path() / id_of("dead"));
    leave_behind(dir.path(), "dead", {item_of("b", "another")});
    write(file, whole.substr(0, size));
    const auto next = opened(dir.path(), "next");
    std::vector<std::string> notes;
    REQUIRE(jobs_of(next->take_over(notes)) == std::vector<std::string>{"b"});
    REQUIRE(notes.size() == 1);
    CHECK(files_in(dir.path() / id_of("dead"), "damaged-result-").size() == 1);
    // Reported once, and what is there counts once.
    const auto bytes = next->bytes();
    notes.clear();
    CHECK(next->take_over(notes).size() == 1);
    CHECK(notes.empty());
    CHECK(next->bytes() == bytes);
    next->remove(item_of("b", "").key);
  }
}

TEST_CASE("what a crash left half written is no entry") {
  scratch dir;
  leave_behind(dir.path(), "dead", {item_of("a", "A")});
  const auto file = files_in(dir.path() / id_of("dead"), "result-").at(0);
  write(file.string() + ".new-4711", "half");
  const auto next = opened(dir.path(), "next");
  std::vector<std::string> notes;
  CHECK(next->take_over(notes).size() == 1);
  CHECK(notes.empty());
  CHECK_FALSE(std::filesystem::exists(dir.path() / id_of("dead")));
}

TEST_CASE("a spool whose directory was deleted is made again") {
  scratch dir;
  const auto root = dir.path() / "spool";
  const auto mine = opened(root, "mine");
  REQUIRE(mine->put(item_of("a", "A")));
  fs::remove_all(root);
  REQUIRE(mine->put(item_of("b", "B")));
  CHECK_FALSE(spool::open(root, id_of("mine"), plenty)); // locked again
  std::vector<std::string> notes;
  CHECK(jobs_of(mine->take_over(notes)) == std::vector<std::string>{"b"});
}
