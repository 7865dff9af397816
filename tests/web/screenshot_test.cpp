// Screenshots that a run kept are served by their hash, and no other file is.
#include "base/file.hpp"
#include "base/hash.hpp"
#include "coordinator/recorded.hpp"
#include "tests/fixtures/scratch.hpp"
#include "web/export/exported_screenshots.hpp"
#include "web/screenshot_answer.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <filesystem>
#include <fstream>

using namespace brewery;

TEST_CASE("screenshots of a run are served and exported by their hash") {
  const scratch at;
  const auto runs = at.path() / "runs", kept = at.path() / "kept";
  std::filesystem::create_directory(runs);
  std::filesystem::create_directory(kept);
  const std::string png = "\x89PNG\r\n\x1a\n and so on";
  const auto hash = content_hash(png);
  std::ofstream{kept / (hash + ".png")} << png;
  const auto text = content_hash("no image");
  std::ofstream{kept / (text + ".png")} << "no image";
  for (const auto& [id, options] :
       {std::pair{"with", fmt::format("[environment.osworld]\nscreenshots = "
                                      "\"{}\"\n",
                                      kept.string())},
        std::pair{"without", std::string{}}}) {
    auto run = run_directory::create(runs, id);
    REQUIRE(run);
    REQUIRE(begin_log(*run, options));
  }
  web::run_shelf shelf{runs};
  const auto ask = [&](const std::string& path) {
    return web::screenshot_answer(shelf, {path, ""});
  };
  const auto whole = ask("/api/runs/with/screenshots/" + hash);
  REQUIRE(whole);
  CHECK(whole->status == 200);
  CHECK(whole->content_type == "image/png");
  CHECK(whole->body == png);
  for (const auto& path :
       {"/api/runs/without/screenshots/" + hash,
        "/api/runs/none/screenshots/" + hash,
        "/api/runs/with/screenshots/" + text,
        "/api/runs/with/screenshots/" + content_hash("another"),
        std::string{"/api/runs/with/screenshots/..%2F..%2Fsecret"},
        "/api/runs/..%2Fkept/screenshots/" + hash}) {
    INFO(path);
    const auto refused = ask(path);
    REQUIRE(refused);
    CHECK(refused->status == 404);
  }
  CHECK_FALSE(ask("/api/runs/with/rollouts/" + hash));

  std::filesystem::create_directory(at.path() / "out");
  web::exported_screenshots exported{shelf, "with", at.path() / "out"};
  for (const auto& one : {hash, hash, text, content_hash("another")})
    REQUIRE(exported.add(one));
  CHECK(exported.bytes() == png.size());
  const auto copied = at.path() / "out" / "screenshots";
  const auto copy = read_file(copied / (hash + ".png"));
  REQUIRE(copy);
  CHECK(*copy == png);
  CHECK(std::distance(std::filesystem::directory_iterator{copied}, {}) == 1);
}
