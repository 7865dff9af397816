#include "base/compression.hpp"
#include "cluster/ledger/ledger_core.hpp"
#include "messages/wire/codec.hpp"

#include <catch2/catch.hpp>

using namespace brewery;

namespace {

job ledger_job(const std::string& id) {
  rollout_job rollout;
  rollout.id = {id};
  return make_job(rollout);
}

job_result done(const std::string& id) {
  rollout_result rollout;
  rollout.id = {id};
  return make_result(rollout);
}

} // namespace

TEST_CASE("nothing is handed out or settled before the journal has it") {
  ledger_core ledger;
  CHECK(ledger.submit(ledger_job("a"), asker_id{1}).run.size() == 1);
  const auto ran = ledger.ran({"a"}, pack(done("a")));
  CHECK(ran.answers.empty());
  CHECK(ran.settled.empty());
  REQUIRE(ran.append.size() == 1);
  CHECK(ran.append.front().key == "a");
  const auto step = ledger.journalled({"a"}, std::uint64_t{1});
  REQUIRE(step.answers.size() == 1);
  CHECK(step.answers.front().asker == asker_id{1});
  CHECK(step.settled == std::vector<job_id>{{"a"}});
}

TEST_CASE("a result is journalled as it came") {
  auto whole = done("a");
  std::get<rollout_result>(whole.output).steps.resize(20);
  auto bytes = wire::encode(whole);
  const bool compressed = GENERATE(true, false);
  if (compressed) bytes = compress(bytes);
  auto came = unpack_result(bytes);
  REQUIRE(came);
  ledger_core ledger;
  ledger.submit(ledger_job("a"), asker_id{1});
  const auto step = ledger.ran({"a"}, *came);
  REQUIRE(step.append.size() == 1);
  CHECK(step.append.front().payload == bytes);
  CHECK(step.append.front().compressed == compressed);
  REQUIRE(step.made.size() == 1);
  CHECK(step.made.front() == done("a"));
}

TEST_CASE("a result is made once, whoever brings it") {
  ledger_core ledger;
  ledger.submit(ledger_job("a"), asker_id{1});
  CHECK(ledger.offered(pack(done("a"))).made.size() == 1);
  const auto second = ledger.ran({"a"}, pack(done("a")));
  CHECK(second.made.empty());
  CHECK(second.append.empty());
  CHECK(ledger.journalled({"a"}, std::uint64_t{1}).answers.size() == 1);
  const auto third = ledger.offered(pack(done("a")));
  CHECK(third.made.empty());
  CHECK(third.settled.size() == 1); // its worker did not hear that
}

TEST_CASE("a result that could not be written counts for nobody") {
  ledger_core ledger;
  ledger.submit(ledger_job("a"), asker_id{1});
  ledger.ran({"a"}, pack(done("a")));
  const auto lost = ledger.journalled({"a"}, error{ec::disk_full, "full"});
  CHECK(lost.settled.empty());
  REQUIRE(lost.answers.size() == 1);
  CHECK(lost.answers.front().answer.error().code == ec::disk_full);
  CHECK(ledger.submit(ledger_job("a"), asker_id{2}).run.size() == 1);
}

TEST_CASE("a result of before is read from the log once, and told") {
  ledger_core ledger{{{{job_id{"a"}, 7}}, {}, {}}};
  const auto again = ledger.submit(ledger_job("a"), asker_id{2});
  CHECK(again.run.empty());
  REQUIRE(again.recall.size() == 1);
  CHECK(again.recall.front().event == 7);
  const auto step = ledger.recalled(asker_id{2}, wire::encode(done("a")));
  REQUIRE(step.recalled.size() == 1);
  CHECK(step.recalled.front() == done("a"));
  REQUIRE(step.answers.size() == 1);
  REQUIRE(step.answers.front().answer);
  CHECK(*step.answers.front().answer == done("a"));
  CHECK(ledger.submit(ledger_job("a"), asker_id{3}).recall.empty());
}

TEST_CASE("the latest results are answered from memory, earlier ones read") {
  ledger_core ledger;
  const auto name = [](int i) { return std::to_string(i); };
  constexpr int many = 2000;
  for (int i = 0; i < many; ++i) {
    ledger.submit(ledger_job(name(i)), asker_id{1});
    ledger.ran({name(i)}, pack(done(name(i))));
    ledger.journalled({name(i)}, static_cast<std::uint64_t>(i) + 1);
  }
  const auto late = ledger.submit(ledger_job(name(many - 1)), asker_id{2});
  REQUIRE(late.answers.size() == 1);
  REQUIRE(late.answers.front().answer);
  CHECK(*late.answers.front().answer == done(name(many - 1)));
  CHECK(late.from_log == 1);
  const auto early = ledger.submit(ledger_job("0"), asker_id{3});
  CHECK(early.answers.empty());
  CHECK(early.recall.size() == 1);
}

TEST_CASE("what jobs were for is written once, and compared with nothing") {
  ledger_core ledger;
  const auto put = [&](std::string named, std::string payload) {
    return ledger.record(std::move(named), "mcts/tree 0/1", std::move(payload),
                         asker_id{1});
  };
  CHECK(put("purpose_record", "these").append.size() == 1);
  const auto again = put("purpose_record", "others");
  CHECK(again.append.empty());
  REQUIRE(again.recorded.size() == 1);
  CHECK(again.recorded.front().outcome);
  CHECK(put("tree_record", "these").append.size() == 1);
  CHECK_FALSE(put("tree_record", "others").recorded.front().outcome);
}

TEST_CASE("a drain is answered when nothing is under way") {
  ledger_core ledger;
  CHECK(ledger.drain(asker_id{9}).drained == std::vector{asker_id{9}});
  ledger.submit(ledger_job("a"), asker_id{1});
  CHECK(ledger.drain(asker_id{8}).drained.empty());
  CHECK(ledger.ran({"a"}, pack(done("a"))).drained.empty());
  CHECK(ledger.journalled({"a"}, std::uint64_t{1}).drained
        == std::vector{asker_id{8}});
}

TEST_CASE("a result that was offered is handed out only for its own job") {
  const auto wrong = make_result(embed_result{{"a"}, {{1, 2}, {3, 4}}});
  ledger_core ledger;
  CHECK(ledger.offered(pack(wrong)).append.size() == 1);
  const auto asks = [&](std::vector<std::string> texts) {
    return ledger.submit(make_job(embed_job{{"a"}, std::move(texts)}),
                         asker_id{1});
  };
  const bool is_written = GENERATE(true, false);
  if (is_written) ledger.journalled({"a"}, std::uint64_t{1});
  const auto misfit = asks({"only one"});
  CHECK(misfit.run.empty());
  REQUIRE(misfit.answers.size() == 1);
  REQUIRE_FALSE(misfit.answers[0].answer);
  CHECK(misfit.answers[0].answer.error().message
        == "what the log has under job a is not its result: it has 2 vectors "
           "for 1 texts");
  if (is_written) CHECK(asks({"one", "two"}).answers[0].answer);
}
