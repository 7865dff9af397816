#include "llm/accounts/call_bound.hpp"
#include "llm/accounts/call_key.hpp"
#include "llm/accounts/image_tokens.hpp"
#include "llm/accounts/request_text.hpp"

#include <catch2/catch.hpp>

using namespace brewery;
using namespace std::string_literals;

namespace {

std::string png_header(const std::string& width, const std::string& height) {
  return "\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR"s + width + height + "\x08\x02";
}

const std::string full_hd = png_header("\0\0\x07\x80"s, "\0\0\x04\x38"s);

model_call with_images(std::vector<chat_image> images) {
  chat_request chat;
  chat.model = "m";
  chat.temperature = 0;
  chat.messages = {{chat_role::user, "look", std::move(images), {}, {}}};
  return {job_id{"j"}, 0, "agent", std::move(chat)};
}

} // namespace

TEST_CASE("the size of a PNG is in its header") {
  CHECK(png_size(full_hd) == image_size{1920, 1080});
  CHECK_FALSE(png_size(full_hd.substr(0, 23)));
  CHECK_FALSE(png_size(png_header("\0\0\0\0"s, "\0\0\0\x01"s)));
  CHECK_FALSE(png_size("GIF89a, which is no PNG at all, however long"));
  CHECK_FALSE(png_size(""));
}

TEST_CASE("an image is at most what the servers count for its area") {
  // 69 x 39 patches of 28 px, which is more than six tiles at 170 tokens.
  const auto hd = image_tokens_at_most({"image/png", full_hd});
  CHECK(hd >= 69 * 39);
  CHECK(hd < 3'000);
  const auto small = image_tokens_at_most(
      {"image/png", png_header("\0\0\0\x10"s, "\0\0\0\x10"s)});
  CHECK(small >= 85 + 8 * 170);
  CHECK(image_tokens_at_most({"image/jpeg", "?"}) >= hd);
  const token_price free{};
  const auto none = spending_at_most(with_images({}), free, 10).tokens;
  const auto two = spending_at_most(with_images({{"image/png", full_hd},
                                                 {"image/png", full_hd}}),
                                    free, 10)
                       .tokens;
  CHECK(two - none == 2 * hd);
}

TEST_CASE("a call's key and its recorded text go by the content of images") {
  const auto first = with_images({{"image/png", full_hd + "a"}});
  const auto other = with_images({{"image/png", full_hd + "b"}});
  CHECK(key_of(first, print_of(first)) == key_of(first, print_of(first)));
  CHECK(key_of(first, print_of(first)) != key_of(other, print_of(other)));
  const auto text = parts_of(first, print_of(first)).back().content.text;
  const auto changed = parts_of(other, print_of(other)).back().content.text;
  CHECK(text.find("image: image/png, 27 bytes, ") != std::string::npos);
  CHECK(text.find("PNG\r\n") == std::string::npos); // the hash, not the bytes
  CHECK(text != changed);
}
