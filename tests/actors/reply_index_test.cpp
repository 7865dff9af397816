#include "actors/reply_index.hpp"

#include <catch2/catch.hpp>

using namespace brewery;

namespace {

model_record reply(const std::string& key, const call_place& at,
                   std::uint64_t cut_at = 0) {
  chat_reply said;
  said.usage.completion = cut_at;
  if (cut_at > 0) said.finish = chat_finish::length;
  model_record out;
  out.key = key;
  out.job = at.job;
  out.number = at.number;
  out.answer = model_answer{said};
  return out;
}

const call_place here{{"job"}, 3}, there{{"job"}, 4};

} // namespace

TEST_CASE(
    "a whole reply answers wherever its key is asked, whatever the limit") {
  reply_index index;
  CHECK(index.find("k", here, 10) == 0);
  index.add(reply("k", here), 7);
  for (const std::uint32_t limit : {0, 1, 1000}) {
    CHECK(index.find("k", here, limit) == 7);
    CHECK(index.find("k", there, limit) == 7);
  }
  CHECK(index.find("another", here, 10) == 0);
}

TEST_CASE("a call that failed answers nothing") {
  reply_index index;
  model_record failed;
  failed.key = "k";
  index.add(failed, 1);
  CHECK(index.find("k", here, 10) == 0);
}

TEST_CASE("a cut reply answers a larger limit only at its own place") {
  reply_index index;
  index.add(reply("k", here, 40), 7);
  CHECK(index.find("k", here, 400) == 7); // paid and used there
  CHECK(index.find("k", there, 40) == 7);
  CHECK(index.find("k", there, 400) == 0);
  CHECK(index.find("k", there, 0) == 0); // no limit is the largest
  index.add(reply("k", there), 8);
  CHECK(index.find("k", there, 400) == 8);
}

TEST_CASE("a rejected reply answers until it is to be asked anew") {
  reply_index index;
  index.add(reply("good", here), 1);
  index.add(reply("bad", there), 2);
  index.reject(there.job, "bad");
  CHECK(index.find("bad", there, 10) == 2);
  index.ask_anew({"another job"});
  CHECK(index.find("bad", there, 10) == 2);
  CHECK(index.dropped("bad") == 0);
  index.ask_anew(there.job);
  CHECK(index.find("bad", there, 10) == 0);
  CHECK(index.find("good", here, 10) == 1);
  CHECK(index.dropped("bad") == 1);
  // The reply that came instead is kept, also by a second order.
  index.add(reply("bad", there), 3);
  index.ask_anew(there.job);
  CHECK(index.find("bad", there, 10) == 3);
}

TEST_CASE("only what was rejected is asked anew, not what came since") {
  reply_index index;
  index.add(reply("k", here), 1);
  index.reject({"first"}, "k");
  index.reject({"second"}, "k");
  CHECK_FALSE(index.ask_anew({"third"}));
  CHECK(index.ask_anew({"first"}));
  CHECK(index.find("k", here, 10) == 0);
  // The first job could use this one, and the second may.
  index.add(reply("k", here), 5);
  CHECK(index.ask_anew({"second"}));
  CHECK(index.find("k", there, 10) == 5);
  CHECK(index.dropped("k") == 1);
  index.reject({"second"}, "k");
  CHECK(index.ask_anew({"second"}));
  CHECK(index.find("k", there, 10) == 0);
  CHECK(index.dropped("k") == 2);
  index.reject({"second"}, "never asked");
  CHECK_FALSE(index.ask_anew({"second"}));
}

TEST_CASE("a rejection names the reply that was the latest then") {
  reply_index index;
  CHECK(index.reject({"job"}, "k") == 0); // there is none
  index.add(reply("k", here), 1);
  const auto rejected = index.reject({"job"}, "k");
  CHECK(rejected == 1);
  // Read from a recording where another reply came before the mark.
  reply_index again;
  again.add(reply("k", here), 1);
  again.add(reply("k", there), 2);
  again.reject_until({"job"}, "k", rejected);
  CHECK(again.ask_anew({"job"}));
  CHECK(again.find("k", here, 10) == 2);
}

TEST_CASE("stops are counted for each call") {
  reply_index index;
  CHECK(index.stops("k") == 0);
  index.stop("k");
  index.stop("k");
  CHECK(index.stops("k") == 2);
  CHECK(index.stops("other") == 0);
}
