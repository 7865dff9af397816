#include "base/text.hpp"
#include "store/log_file.hpp"
#include "tests/fixtures/scratch.hpp"

#include <catch2/catch.hpp>

#include <future>

using namespace brewery;
namespace fs = std::filesystem;

namespace {

const auto all = [](const std::string&) { return true; };

} // namespace

TEST_CASE("the last lines of a log are those that match, oldest first") {
  const scratch folder;
  log_file log{folder.path() / "log"};
  for (const auto* line : {"a 1", "b 1", "a 2", "b 2", "a 3"})
    log.append(line);
  const auto of_a = [](const std::string& line) {
    return line.starts_with('a');
  };
  CHECK(join(log.last(2, of_a), ",") == "a 2,a 3");
  CHECK(join(log.last(9, of_a), ",") == "a 1,a 2,a 3");
  CHECK(log.last(9, [](const auto&) { return false; }).empty());
}

TEST_CASE("a search holds up no line and finds what was there before it") {
  const scratch folder;
  log_file log{folder.path() / "log", 100, 3};
  log.append("before");
  std::future<void> appended;
  const auto found = log.last(9, [&](const std::string&) {
    appended = std::async(std::launch::async, [&] {
      for (int i = 0; i < 100; ++i)
        log.append("meanwhile " + std::to_string(i));
    });
    return appended.wait_for(std::chrono::seconds{20})
           == std::future_status::ready;
  });
  CHECK(join(found, ",") == "before");
  appended.get();
  CHECK(join(log.last(1, all), ",") == "meanwhile 99");
}

TEST_CASE("a log that was deleted is made again") {
  const scratch folder;
  const auto path = folder.path() / "log";
  log_file log{path};
  log.append("before");
  fs::remove(path);
  log.append("after");
  CHECK(join(log.last(9, all), ",") == "after");
}

TEST_CASE("a log stays below its bound and keeps the newest lines") {
  const scratch folder;
  const auto path = folder.path() / "log";
  log_file log{path, 1000, 3};
  for (int i = 0; i < 1000; ++i)
    log.append("line " + std::to_string(i));
  std::uintmax_t bytes = 0;
  for (const auto& file : fs::directory_iterator{folder.path()})
    bytes += file.file_size();
  CHECK(bytes <= 3000);
  CHECK(bytes > 1900);
  const auto kept = log.last(1000, all);
  CHECK(kept.size() > 150);
  CHECK(kept.back() == "line 999");
  CHECK(kept.front() == "line " + std::to_string(1000 - kept.size()));
  CHECK(join(log_file{path, 1000, 3}.last(2, all), ",") == "line 998,line 999");
}

TEST_CASE("a log goes on in its file after a restart") {
  const scratch folder;
  log_file{folder.path() / "log"}.append("before");
  log_file again{folder.path() / "log"};
  again.append("after");
  CHECK(join(again.last(9, all), ",") == "before,after");
}

TEST_CASE("a log that cannot be written loses lines and nothing else") {
  const scratch folder;
  log_file log{folder.path() / "gone" / "log"};
  log.append("lost");
  CHECK(log.last(9, all).empty());
}
