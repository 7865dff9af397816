/// What pages that follow a run are sent.

#include "base/file.hpp"
#include "coordinator/recorded.hpp"
#include "messages/side_records.hpp"
#include "run/live/live_file.hpp"
#include "store/run_status.hpp"
#include "store/submission.hpp"
#include "tests/fixtures/scratch.hpp"
#include "web/live/live_answer.hpp"
#include "web/live/run_tail.hpp"
#include "web/live/why_waits.hpp"

#include <catch2/catch.hpp>

#include <fstream>

using namespace brewery;
using Catch::Contains;

namespace {

event_row played(const std::string& job, double reward) {
  rollout_result made;
  made.id = {job};
  made.task = {"t"};
  made.grade.reward = reward;
  if (reward < 0) made.outcome = rollout_outcome::environment_error;
  return event_of(make_result(made), job);
}

event_row barrier(std::uint32_t iteration, double reward) {
  gather_record closed;
  closed.iteration = iteration;
  closed.reports.resize(1);
  closed.reports[0].best.reward = reward;
  closed.reports[0].best.evaluated = 1;
  return event_of(closed, gather_key("mcts", iteration));
}

/// A run "r" whose log is written.
struct followed_run {
  scratch at;
  std::filesystem::path root = at.path() / "runs";
  std::unique_ptr<event_log> log;
  std::unique_ptr<web::live_hub> hub;

  followed_run() {
    std::filesystem::create_directory(root);
    begin();
    hub = std::make_unique<web::live_hub>(web::run_shelf{root});
  }
  void begin() {
    auto run = run_directory::create(root, "r");
    REQUIRE(run);
    auto begun = begin_log(*run, "");
    REQUIRE(begun);
    log = std::move(*begun);
  }
  void append(const std::vector<event_row>& rows) {
    REQUIRE(log->append(rows));
  }
  /// A run that goes on says so.
  void say(live_state now) {
    now.run = {"r"};
    write_live(root / "r", live_json(now, std::chrono::steady_clock::now()),
               std::chrono::system_clock::now());
  }
  /// As for a hub that was never asked: none waits for its next look.
  web::live_news news(std::uint64_t after) {
    web::live_hub fresh{web::run_shelf{root}};
    auto made = fresh.since("r", after);
    REQUIRE(made);
    return *made;
  }
};

} // namespace

TEST_CASE("the parts of a log add up, wherever one begins") {
  followed_run run;
  run.append({played("a", 1), played("b", 0.5),
              event_of(spend_record{0, 0.25}, gather_key("mcts", 0)),
              barrier(0, 0.5), played("c", -1), barrier(1, 0.75)});
  const auto whole = run.news(0);
  CHECK(whole.at_end);
  CHECK(whole.to == 6);
  CHECK(whole.log["rollouts"] == 3);
  CHECK(whole.log["graded"] == 2);
  CHECK(whole.log["rewards"] == 1.5);
  REQUIRE(whole.log["points"].size() == 2);
  CHECK(whole.log["points"][0]["rollouts"] == 2);
  CHECK(whole.log["points"][0]["cost_usd"] == 0.25);
  CHECK(whole.log["points"][1]["reward"] == 0.75);
  CHECK_FALSE(whole.log["points"][1].contains("cost_usd"));
  for (std::uint64_t after = 0; after <= 6; ++after) {
    const auto rest = run.news(after);
    CHECK(rest.log["from"] == after + 1);
    CHECK(rest.log["to"] == 6);
    CHECK(rest.log["rollouts"] == (after < 1 ? 3 : after < 2 ? 2 : after < 5));
    CHECK(rest.log["points"].size() == (after < 4 ? 2 : after < 6 ? 1 : 0));
  }
  CHECK(run.news(99).log["rollouts"] == 0);
}

TEST_CASE("a rollout that is tried again counts once, with its last grade") {
  followed_run run;
  run.append({played("a", 1),
              played("b", -1),
              barrier(0, 0.5),
              barrier(1, 0.25),
              {0, "retry_result", "b", "", false},
              played("b", 0.5),
              barrier(0, 0.75)});
  for (std::uint64_t between = 0; between <= 7; ++between) {
    INFO(between);
    web::run_tail tail{*run_directory::open(run.root, "r")};
    REQUIRE(tail.extend(between));
    const auto before = tail.since(0);
    REQUIRE(tail.extend(100));
    const auto after = tail.since(between);
    const auto sum = [&](const char* of) {
      return before[of].get<double>() + after[of].get<double>();
    };
    CHECK(sum("rollouts") == 2);
    CHECK(sum("graded") == 2);
    CHECK(sum("rewards") == 1.5);
    const auto whole = tail.since(0)["points"];
    REQUIRE(whole.size() == 1); // the search went back to its first barrier
    CHECK(whole[0]["reward"] == 0.75);
    CHECK(whole[0]["rollouts"] == 2);
  }
}

TEST_CASE("a log that takes the name of a shorter one is read from its start") {
  followed_run run;
  run.append({played("a", 1), played("b", 1)});
  web::run_tail tail{*run_directory::open(run.root, "r")};
  REQUIRE(tail.extend(100));
  CHECK(tail.since(0)["rewards"] == 2);
  run.log.reset();
  std::filesystem::remove_all(run.root / "r");
  run.begin();
  run.append({played("c", 0), played("d", 0.5), played("e", 0)});
  REQUIRE(tail.extend(100));
  CHECK(tail.since(0)["rollouts"] == 3);
  CHECK(tail.since(0)["rewards"] == 0.5);
}

TEST_CASE("a long log is told part by part, and no part twice") {
  followed_run run;
  constexpr int rollouts = 9000; // more than one look reads
  std::vector<event_row> rows;
  for (int i = 0; i < rollouts; ++i)
    rows.push_back(played("j" + std::to_string(i), 1));
  run.append(rows);
  std::uint64_t at = 0, count = 0, parts = 0;
  for (bool at_end = false; !at_end; ++parts) {
    const auto news = run.hub->since("r", at);
    REQUIRE(news);
    CHECK(news->log["from"] == at + 1);
    count += news->log["rollouts"].get<std::uint64_t>();
    CHECK(news->log["latest"].size() <= 10);
    at = news->to;
    at_end = news->at_end;
  }
  CHECK(count == rollouts);
  CHECK(parts > 1);
}

TEST_CASE("a stream begins where its reader was, and ends with the run") {
  followed_run run;
  run.append({played("a", 1), played("b", 1)});
  run.say({});
  const auto asked =
      web::live_request_of({"/api/runs/r/stream", "after=1", {}, {}, "1", {}});
  REQUIRE(asked);
  REQUIRE(*asked);
  CHECK((*asked)->stream);
  const auto feed = web::live_feed(
      [&](const std::string&, std::uint64_t after) -> result<web::live_news> {
        return run.news(after);
      },
      **asked);
  const auto first = feed->next();
  REQUIRE(first);
  CHECK_THAT(*first, Contains("id: 2\nevent: log\ndata: {")
                         && Contains("\"from\":2") && Contains("event: now"));
  CHECK(feed->next() == std::string{});
  run.append({played("c", 1)});
  CHECK_THAT(*feed->next(), Contains("id: 3\n") && !Contains("event: now"));
  remove_live(run.root / "r");
  CHECK_THAT(*feed->next(), Contains("event: over"));
  CHECK(feed->next() == std::nullopt);
}

TEST_CASE("addresses of what is followed are read strictly") {
  const auto of = [](const std::string& path, const std::string& query = {},
                     const std::string& id = {}) {
    return web::live_request_of({path, query, {}, {}, id, {}});
  };
  CHECK(of("/api/runs/r/live", "after=5")->value().after == 5);
  CHECK(of("/api/runs/r/live", "after=5", "9")->value().after == 9);
  CHECK_FALSE(of("/api/runs/r/rollouts")->has_value());
  CHECK_FALSE(of("/api/runs/r/live/x")->has_value());
  CHECK_FALSE(of("/api/runs/r/live", "after=-1"));
  CHECK_FALSE(of("/api/runs/r/live", "", "x"));
  CHECK_FALSE(of("/api/runs/r/live", "limit=1"));
  followed_run run;
  CHECK(run.hub->since("..", 0).error().code == ec::not_found);
  CHECK(run.hub->since("other", 0).error().code == ec::not_found);
}

TEST_CASE("what a killed or foreign process left is not believed") {
  followed_run run;
  run.say({});
  CHECK_FALSE(run.news(0).now.is_null());
  write_live(run.root / "r", live_json({}, {}),
             std::chrono::system_clock::now() - std::chrono::minutes{1});
  CHECK(run.news(0).now.is_null());
  for (const char* text : {"", "[]", "{\"at_ms\": 1}", "{\"waits\": 3}"}) {
    std::ofstream{live_path(run.root / "r")} << text;
    CHECK_FALSE(read_live(run.root / "r"));
    CHECK(run.news(0).now.is_null());
  }
}

TEST_CASE("what a run does now is not written through links") {
  const scratch root;
  const auto mine = root.path() / "mine";
  std::ofstream{mine} << "kept";
  for (const char* name : {"live.json", "live.json.new-"})
    std::filesystem::create_symlink(mine, root.path() / name);
  write_live(root.path(), live_json({}, {}), std::chrono::system_clock::now());
  CHECK(read_live(root.path()));
  CHECK(*read_file(mine) == "kept");
}

TEST_CASE("a run says what it waits for, and a queued one its turn") {
  followed_run run;
  pool_status pool;
  pool.counts.leased = 3;
  pool.loads = {{{"r"}, job_kind::rollout, "", 2, 1, 0},
                {{"other"}, job_kind::rollout, "", 0, 2, 0}};
  pool.waiting = {"r: 2 jobs wait (rollout): all slots are busy (workers: 2)",
                  "rr: 9 jobs wait (rollout): no worker is connected"};
  live_state now;
  now.run = {"r"};
  now.pool = &pool;
  CHECK(why_it_waits(now)
        == std::vector<std::string>{"2 jobs wait (rollout): all slots are busy "
                                    "(workers: 2), 2 of them with other runs"});
  pool.paused = true;
  REQUIRE(why_it_waits(now).size() == 1);
  CHECK_THAT(why_it_waits(now)[0], Contains("the event log cannot be written"));
  run.say(now);
  const auto queued = run_directory::create(run.root, "q");
  REQUIRE(queued);
  submission order;
  order.group = "g";
  order.group_at_once = 1;
  REQUIRE(write_submission(*queued, order));
  const auto all = run_directory::list(run.root);
  REQUIRE(all);
  web::waiting_reasons reasons{*all};
  json going{{"state", "running"}}, waits{{"state", "unreadable"}};
  reasons.add(going, all->back());
  CHECK_THAT(going["waits"].get<std::string>(), Contains("log cannot"));
  reasons.add(waits, *queued);
  CHECK(waits["state"] == "queued");
  CHECK_THAT(waits["waits"].get<std::string>(),
             Contains("of group g at most 1 go on at once, and 0 do"));
}

TEST_CASE("a queued run waits for the budget that its group has used up") {
  followed_run run;
  submission order;
  order.group = "g";
  order.group_at_once = 1;
  order.group_max_cost_usd = 5;
  const auto played = run_directory::create(run.root, "p");
  const auto queued = run_directory::create(run.root, "q");
  REQUIRE((played && queued));
  for (const auto& one : {*played, *queued})
    REQUIRE(write_submission(one, order));
  REQUIRE(begin_log(*played, "")); // it has begun
  const auto why = [&] {
    const auto all = run_directory::list(run.root);
    REQUIRE(all);
    json about{{"state", "unreadable"}};
    web::waiting_reasons{*all}.add(about, *queued);
    return about["waits"].get<std::string>();
  };
  const auto status = run_status_file::begin_session(
      played->path(), std::chrono::system_clock::now());
  REQUIRE(status);
  (*status)->note_progress(1, 4.5);
  CHECK_THAT(why(), Contains("its turn: of group g"));
  (*status)->note_progress(2, 5.25);
  CHECK(why() == "the budget of group g is used up: $5.25 of $5.00");
}
