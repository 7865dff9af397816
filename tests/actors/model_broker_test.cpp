/// The broker against a scripted transport and a real recording on disk.

#include "tests/actors/broker_calls.hpp"

using namespace brewery;
using namespace brewery::test;

TEST_CASE("a reply is bought once, also by a process that comes later") {
  const scratch run;
  auto transport = std::make_shared<talking_transport>();
  {
    auto broker = model_broker::make(inputs_for(run.path(), transport));
    CHECK(said(ask(*broker, asking("x"))->wait()) == "to x");
    CHECK(said(ask(*broker, asking("x"))->wait()) == "to x");
    CHECK(transport->sent == 1);
    CHECK(broker->view().spent == spending{1, 11, 14'000'000});
    broker->close();
  }
  auto again = model_broker::make(inputs_for(run.path(), transport));
  CHECK(again->view().spent == spending{1, 11, 14'000'000});
  CHECK(said(ask(*again, asking("x"))->wait()) == "to x");
  CHECK(transport->sent == 1);
  CHECK(said(ask(*again, asking("x", 1))->wait()) == "to x"); // another sample
  CHECK(transport->sent == 2);
  again->close();
}

TEST_CASE("two that ask the same at once wait for one reply") {
  const scratch run;
  auto transport = std::make_shared<manual_transport>();
  auto broker = model_broker::make(inputs_for(run.path(), transport));
  const auto one = ask(*broker, asking("x"));
  const auto two = ask(*broker, asking("x"));
  CHECK(transport->open() == 1);
  auto sent = transport->take();
  CHECK(std::get<chat_request>(sent.call.request).model == "writer");
  sent.done({saying("once"), 0});
  CHECK(said(one->wait()) == "once");
  CHECK(said(two->wait()) == "once");
  CHECK(broker->view().spent.calls == 1);
  broker->close();
}

TEST_CASE("what fails costs nothing, what may be charged costs the most") {
  const scratch run;
  auto transport = std::make_shared<manual_transport>();
  auto broker = model_broker::make(inputs_for(run.path(), transport));
  const auto free = ask(*broker, asking("free"));
  transport->take().done({error{ec::rate_limited, "too many"}, 0});
  CHECK(said(free->wait()) == "error: too many");
  CHECK(broker->view().spent == spending{});
  CHECK(broker->view().reserved == spending{});
  const auto lost = ask(*broker, asking("lost"));
  const auto reserved = broker->view().reserved;
  CHECK(reserved.tokens > 100);
  transport->take().done({error{ec::timeout, "no reply"}, 1});
  CHECK_FALSE(lost->wait());
  CHECK(broker->view().spent == reserved);
  broker->close();
  broker.reset();
  // It is on record, so that the run does not forget it.
  auto later = model_broker::make(inputs_for(run.path(), transport));
  CHECK(later->view().spent == reserved);
  later->close();
}

TEST_CASE("a larger limit buys no whole reply again") {
  const scratch run;
  auto transport = std::make_shared<talking_transport>();
  auto broker = model_broker::make(inputs_for(run.path(), transport));
  auto call = asking("x");
  CHECK(ask(*broker, call)->wait());
  std::get<chat_request>(call.request).max_tokens = 4000;
  CHECK(ask(*broker, call)->wait());
  CHECK(transport->sent == 1);
  broker->close();
}

TEST_CASE("a reply without counts costs all that was reserved for it") {
  const scratch run;
  auto transport = std::make_shared<manual_transport>();
  auto broker = model_broker::make(inputs_for(run.path(), transport));
  const auto waiting = ask(*broker, asking("x"));
  auto reply = chat_reply{};
  reply.content = "hello";
  transport->take().done({model_answer{reply}, 0});
  CHECK(said(waiting->wait()) == "hello");
  broker->close();
  const auto spent = broker->view().spent;
  CHECK(spent.calls == 1);
  CHECK(spent.tokens > 100); // the most that the reply can have, and a prompt
  CHECK(spent.cost > 0);
  const auto recorded = recorded_spend(run.path());
  REQUIRE(recorded);
  CHECK(recorded->total().cost == spent.cost);
  CHECK(recorded->total().usage == token_usage{});
  CHECK(recorded->total().uncounted == 1);
  broker.reset();
  auto later = model_broker::make(inputs_for(run.path(), transport));
  CHECK(later->view().spent == spent);
  later->close();
}

TEST_CASE("a refusal costs what its server counted, also after a resume") {
  const scratch run;
  auto transport = std::make_shared<manual_transport>();
  auto broker = model_broker::make(inputs_for(run.path(), transport));
  const auto asked = ask(*broker, asking("x"));
  transport->take().done({error{ec::refused_content, "filtered"},
                          0,
                          call_fault::call,
                          std::chrono::milliseconds{250},
                          {30, 0, 1, 0}});
  CHECK(said(asked->wait()) == "error: filtered");
  broker->close();
  const spending paid{1, 31, 34'000'000};
  CHECK(broker->view().spent == paid);
  CHECK(broker->view().reserved == spending{});
  const auto line = broker->spend().total();
  CHECK(line.lost == 0);
  CHECK(line.asked_ms == 250);
  broker.reset();
  auto later = model_broker::make(inputs_for(run.path(), transport));
  CHECK(later->view().spent == paid);
  // It is no reply, so it is asked for again.
  (void)ask(*later, asking("x"));
  CHECK(transport->open() == 1);
  transport->take().done({saying("yes"), 0});
  later->close();
}

TEST_CASE("a replay answers from the recording and needs no transport") {
  const scratch recorded, run;
  {
    auto broker = model_broker::make(
        inputs_for(recorded.path(), std::make_shared<talking_transport>()));
    CHECK(ask(*broker, asking("x"))->wait());
    CHECK(ask(*broker, asking("y", 1))->wait());
    broker->close();
  }
  auto in = inputs_for(run.path(), nullptr);
  auto replay = model_recording::open_for_replay(recorded.path());
  REQUIRE(replay);
  in.replay = *replay;
  auto broker = model_broker::make(std::move(in));
  CHECK(said(ask(*broker, asking("x"))->wait()) == "to x");
  CHECK(broker->view().spent.cost == 0);
  SECTION("a request that differs is named by its part") {
    CHECK(refusal(*broker, asking("z", 1))
          == "call 2 of the agent in job job differs from the recording: "
             "message 1 of 1: recorded \"y\", now \"z\"");
  }
  SECTION("a call that was not made is named by its place") {
    CHECK(refusal(*broker, asking("x", 7))
          == "the recording has no call 8 of the agent in job job; an equal "
             "request is call 1 of job job");
  }
  SECTION("a call after the last one of its job is where the recording ends") {
    CHECK_THAT(refusal(*broker, asking("z", 2)),
               Catch::StartsWith("the recording ends here: ")
                   && Catch::Contains("call 3 of the agent in job job"));
  }
  SECTION("a job that was not recorded is compared with the most similar") {
    auto call = asking("y", 1, "other");
    std::get<chat_request>(call.request).temperature = {0.9};
    const auto names = std::make_shared<job_names>();
    rollout_job work;
    work.id = {"other"};
    work.task = {"t3"};
    names->begin(make_job(work));
    broker->name_jobs(names);
    CHECK(refusal(*broker, call)
          == "the recording has no call 2 of the agent in the rollout of task "
             "t3, trial 1 (job other); the most similar recorded call differs: "
             "temperature 0.7 -> 0.9");
  }
  SECTION("a role that was not recorded is named") {
    auto call = asking("x", 0, "other");
    call.role = "judge";
    CHECK(refusal(*broker, call)
          == "the recording has no call of the judge, so not call 1 of the "
             "judge in job other");
  }
  broker->close();
}

TEST_CASE("a run without a recording cannot be replayed") {
  const scratch nothing;
  const auto replay = model_recording::open_for_replay(nothing.path());
  REQUIRE_FALSE(replay);
  CHECK(replay.error().code == ec::not_found);
}

TEST_CASE("where a recording cannot be looked for none is begun") {
  const scratch run;
  const auto folder = run.path() / "models";
  std::filesystem::create_symlink(folder, folder); // which leads nowhere
  const auto opened = model_recording::open(run.path());
  REQUIRE_FALSE(opened);
  CHECK(opened.error().message.find("cannot read") != std::string::npos);
}

TEST_CASE("a job that is cancelled is let go at once, its reply is kept") {
  const scratch run;
  auto transport = std::make_shared<manual_transport>();
  auto broker = model_broker::make(inputs_for(run.path(), transport));
  std::atomic<bool> cancelled{true};
  const auto answer = broker->ask(asking("x"), &cancelled);
  REQUIRE_FALSE(answer);
  CHECK(answer.error().code == ec::cancelled);
  transport->take().done({saying("late"), 0});
  CHECK(said(ask(*broker, asking("x"))->wait()) == "late");
  CHECK(broker->view().spent.calls == 1);
  broker->close();
}

TEST_CASE("a model that no catalog has is an error, not a call") {
  const scratch run;
  auto transport = std::make_shared<manual_transport>();
  auto broker = model_broker::make(inputs_for(run.path(), transport));
  auto call = asking("x");
  std::get<chat_request>(call.request).model = "nobody";
  CHECK(ask(*broker, call)->wait().error().code == ec::not_found);
  CHECK(transport->open() == 0);
  broker->close();
}

TEST_CASE("what a run came to is the same before and after a resume") {
  const scratch run;
  const auto transport = std::make_shared<manual_transport>();
  const auto spent_by = [](const model_spend& spend) {
    return spend_json(spend).dump();
  };
  std::string before;
  {
    auto broker = model_broker::make(inputs_for(run.path(), transport));
    const auto first = ask(*broker, asking("x"));
    transport->take().done({saying("one", 30), 1, call_fault::call,
                            std::chrono::milliseconds{250}});
    CHECK(said(first->wait()) == "one");
    const auto second = ask(*broker, asking("y", 1));
    transport->take().done({error{ec::timeout, "late"}, 2, call_fault::call,
                            std::chrono::milliseconds{4'000}});
    CHECK_FALSE(second->wait());
    broker->close();
    const auto line = broker->spend().lines.at({"agent", "writer"});
    CHECK(line.calls == 1);
    CHECK(line.usage == token_usage{30, 0, 1, 0});
    CHECK(line.cost == 34'000'000);
    CHECK(line.lost == 3);
    CHECK(line.asked_ms == 4'250);
    before = spent_by(broker->spend());
  }
  auto again = model_broker::make(inputs_for(run.path(), transport));
  CHECK(spent_by(again->spend()) == before);
  again->close();
  const auto read = recorded_spend(run.path());
  REQUIRE(read);
  CHECK(spent_by(*read) == before);
}

TEST_CASE("a part of a request is stored once") {
  const scratch run;
  {
    auto broker = model_broker::make(
        inputs_for(run.path(), std::make_shared<talking_transport>()));
    for (std::uint32_t i = 0; i < 3; ++i)
      CHECK(ask(*broker, asking("x", i))->wait());
    broker->close();
  }
  {
    auto broker = model_broker::make(
        inputs_for(run.path(), std::make_shared<talking_transport>()));
    CHECK(ask(*broker, asking("x", 3))->wait());
    broker->close();
  }
  const auto log = event_log::open_for_reading(run.path() / "models");
  REQUIRE(log);
  std::map<std::string, int> rows;
  REQUIRE((*log)->for_each([&](const event_row& row) -> result<void> {
    ++rows[row.kind];
    return {};
  }));
  CHECK(rows["model_record"] == 4);
  CHECK(rows["prompt_part"] == 3); // settings, tools, the message
}

TEST_CASE("a broker that closes lets go of calls that wait for a retry") {
  const scratch run;
  auto transport = std::make_shared<manual_transport>();
  auto in = inputs_for(run.path(), transport);
  in.owner = "r";
  auto broker = model_broker::make(std::move(in));
  const auto waiting = ask(*broker, asking("x"));
  const auto call = transport->take();
  transport->on_stop = [&] {
    call.done({error{ec::timeout, "stopped"}, 0, call_fault::unclear});
  };
  broker->close();
  CHECK(transport->stopped == "r");
  CHECK(said(waiting->wait()) == "error: the run ends");
  CHECK_FALSE(broker->halted());
}
