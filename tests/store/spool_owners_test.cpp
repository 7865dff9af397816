/// Whose a spool's files are: a worker's, a user's, another coordinator's.

#include "base/text.hpp"
#include "store/spool.hpp"
#include "tests/store/scratch.hpp"

using namespace brewery;
namespace fs = std::filesystem;

namespace {

std::unique_ptr<spool> spool_in(const fs::path& root, const std::string& name) {
  auto made = spool::open(root, name, std::size_t{1} << 20);
  if (!made) FAIL(to_string(made.error()));
  return std::move(*made);
}

spooled_result result_for(const std::string& cluster, const std::string& job,
                          const std::string& text = "R") {
  return {{{"s"}, {job}, 1, 3}, text, {}, cluster};
}

std::vector<spooled_result> taken_by_next(const fs::path& root) {
  std::vector<std::string> notes;
  auto out = spool_in(root, random_id())->take_over(notes);
  CHECK(notes.empty());
  return out;
}

void put_file(const fs::path& path) {
  fs::create_directories(path.parent_path());
  std::ofstream{path} << "a user's";
}

constexpr const char* an_id = "0123456789abcdef";
constexpr const char* later_id = "f123456789abcdef";

} // namespace

TEST_CASE("what no worker has made stays as it is in a spool's root") {
  const auto file = GENERATE(
      "notes/result-1", "notes/draft.new-1", "0123456789abcdef/draft.new-1",
      "0123456789abcdef/folder/file", "0123456789abcdef/result-of-a-vote",
      "0123456789abcdef/result-12.new-copy", "0123456789ABCDEF/result-12",
      "result-12");
  INFO(file);
  scratch dir;
  put_file(dir.path() / file);
  const bool in_a_spool = std::string{file}.starts_with(an_id);
  if (in_a_spool) put_file(dir.path() / an_id / "result-77");
  CHECK(taken_by_next(dir.path()).empty());
  CHECK(*read_file(dir.path() / file) == "a user's");
  CHECK(fs::exists(dir.path() / an_id / "result-77") == in_a_spool);
  const auto folder = (dir.path() / file).parent_path();
  CHECK(fs::exists(folder / "lock") == (folder == dir.path()));
}

TEST_CASE("the name that a process makes for itself is one of a spool") {
  for (int i = 0; i < 100; ++i)
    CHECK(is_random_id(random_id()));
  CHECK(random_id() != random_id());
  for (const auto* other : {"", "w-1", "0123456789abcde", "0123456789abcdefg",
                            "0123456789abcdeG", "damaged-"})
    CHECK_FALSE(is_random_id(other));
}

TEST_CASE("what another coordinator has not fetched for a week is removed") {
  scratch dir;
  const auto mine = spool_in(dir.path(), random_id());
  const auto old = result_for("A", "old"), young = result_for("A", "young");
  for (const auto& item : {old, young}) {
    REQUIRE(mine->put(item));
    for (const auto& file : fs::recursive_directory_iterator{dir.path()})
      if (file.is_regular_file() && item.key.job == old.key.job)
        fs::last_write_time(file, fs::file_time_type::clock::now()
                                      - std::chrono::hours{8 * 24});
  }
  REQUIRE(mine->set_aside({old.key, young.key}));
  const auto left = taken_by_next(dir.path());
  REQUIRE(left.size() == 1);
  CHECK(left.front().key == young.key);
}

TEST_CASE("results of another coordinator are left to the next worker") {
  scratch dir;
  const auto mine = spool_in(dir.path(), random_id());
  REQUIRE(mine->put(result_for("A", "a")));
  const auto bytes = mine->bytes();
  REQUIRE(mine->put(result_for("B", "b")));
  REQUIRE(mine->put(result_for("B", "c")));
  REQUIRE(mine->set_aside({{{"s"}, {"b"}, 9, 9}, {{"s"}, {"c"}, 9, 9}}));
  CHECK(mine->bytes() == bytes);
  auto found = taken_by_next(dir.path());
  REQUIRE(found.size() == 2);
  CHECK(found[0].cluster == "B");
  CHECK(found[1].cluster == "B");
  CHECK(mine->set_aside({}));
  CHECK_FALSE(mine->set_aside({{{"s"}, {"never there"}, 1, 3}}));
}

TEST_CASE("a job's results for two coordinators do not replace each other") {
  scratch dir;
  REQUIRE(spool_in(dir.path(), an_id)->put(result_for("A", "a", "RA")));
  REQUIRE(spool_in(dir.path(), later_id)->put(result_for("B", "a", "RB")));
  {
    const auto first = spool_in(dir.path(), random_id());
    std::vector<std::string> notes;
    CHECK(first->take_over(notes) == std::vector{result_for("A", "a", "RA")});
    first->remove({{"s"}, {"a"}, 1, 3});
  }
  CHECK(taken_by_next(dir.path()) == std::vector{result_for("B", "a", "RB")});
}
