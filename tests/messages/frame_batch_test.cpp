#include "messages/wire/frame_batch.hpp"

#include <catch2/catch.hpp>

using namespace brewery;

namespace {

wire::shared_frame shared(std::string bytes) {
  return std::make_shared<const std::string>(std::move(bytes));
}

/// A batch as a peer may write it.
std::string batch_of(const std::string& rest) {
  return std::string{"BW\x01\xff", 4} + rest;
}

std::string why_refused(const std::string& rest) {
  const auto frames = wire::frames_in(batch_of(rest));
  REQUIRE_FALSE(frames);
  CHECK(frames.error().code == ec::malformed);
  return frames.error().message;
}

} // namespace

TEST_CASE("a batch is written as these bytes") {
  const auto made = wire::batched({shared("one"), shared(""), shared("three")});
  REQUIRE(made.size() == 1);
  CHECK(*made[0]
        == std::string{"BW\x01\xff\0\0\0\x03one\0\0\0\0\0\0\0\x05three", 24});
}

TEST_CASE("frames come out of a batch as they went in") {
  const std::vector<std::string> all = {
      wire::frame(result_ack{1, {{"r"}, {"j"}, 1, 1}, {}}), "", "x",
      std::string(1000, '\xff'), wire::frame(drain_order{1, "bye"})};
  std::vector<wire::shared_frame> given;
  for (const auto& bytes : all)
    given.push_back(shared(bytes));
  const auto made = wire::batched(given);
  REQUIRE(made.size() == 1);
  const auto parts = wire::frames_in(*made[0]);
  REQUIRE(parts);
  CHECK(std::vector<std::string>{parts->begin(), parts->end()} == all);
}

TEST_CASE("a frame without neighbours stays as it is") {
  const auto only = shared("BW");
  CHECK(wire::batched({}).empty());
  CHECK(wire::batched({only}) == std::vector{only});
  CHECK(*wire::frames_in(*only) == std::vector<std::string_view>{"BW"});
  CHECK(*wire::frames_in("") == std::vector<std::string_view>{""});
}

TEST_CASE("a large frame goes alone and keeps its place") {
  const auto large =
      shared(std::string(wire::batched_frame_bytes_max + 1, 'l'));
  const auto a = shared("a"), b = shared("b"), c = shared("c");
  const auto made = wire::batched({a, b, large, large, c});
  REQUIRE(made.size() == 4);
  CHECK(wire::frames_in(*made[0])->size() == 2);
  CHECK(made[1] == large);
  CHECK(made[2] == large);
  CHECK(made[3] == c);
}

TEST_CASE("batches keep their limits") {
  const auto count = wire::batch_frames_max;
  const auto many =
      wire::batched(std::vector<wire::shared_frame>(count + 2, shared("x")));
  REQUIRE(many.size() == 2);
  CHECK(wire::frames_in(*many[0])->size() == count);
  CHECK(wire::frames_in(*many[1])->size() == 2);
  const auto part = shared(std::string(wire::batched_frame_bytes_max, 'p'));
  const auto whole = wire::batch_bytes_max / part->size();
  const auto wide =
      wire::batched(std::vector<wire::shared_frame>(whole + 1, part));
  REQUIRE(wide.size() == 2);
  CHECK(wide[1] == part);
}

TEST_CASE("a batch that is cut, too long or nested is refused") {
  using std::string;
  CHECK(why_refused({"\0\0\0", 3}) == "a batch of frames ends in a length");
  CHECK(why_refused({"\0\0\0\2x", 5})
        == "a batch of frames ends within a frame");
  CHECK(why_refused("\xff\xff\xff\xff")
        == "a batch of frames ends within a frame");
  CHECK(why_refused(string(4 * (wire::batch_frames_max + 1), '\0'))
        == "a batch of frames has too many");
  CHECK(wire::frames_in(batch_of(""))->empty());
  const auto inner = wire::unframe(batch_of(""));
  REQUIRE_FALSE(inner);
  CHECK(inner.error().message == "a message of unknown kind 255");
}
