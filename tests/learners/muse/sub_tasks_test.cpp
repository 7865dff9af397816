#include "learners/muse/sub_tasks.hpp"

#include <catch2/catch.hpp>

using namespace brewery::muse;
using phase = sub_task_loop::phase;

TEST_CASE("a sub-task is tried twice, then the plan is made anew") {
  sub_task_loop loop{{}};
  CHECK(loop.now() == phase::plan);
  CHECK(loop.actions_left() == 0);
  loop.planned({{"first", "a"}, {"second", "b"}});
  REQUIRE(loop.now() == phase::act);
  CHECK(loop.current().description == "first");
  CHECK_FALSE(loop.explores());
  loop.acted(5);
  CHECK(loop.actions_left() == 15);
  loop.claim();
  CHECK(loop.actions_left() == 0);
  loop.checked(false, "not yet", 2);
  REQUIRE(loop.now() == phase::act);
  CHECK(loop.explores());
  CHECK(loop.actions_left() == 20); // each try has its own
  loop.acted(1);
  loop.claim();
  loop.checked(false, "still not", 1);
  CHECK(loop.now() == phase::plan);
  loop.planned({{"second", "b"}});
  loop.claim();
  loop.checked(true, "done", 0);
  loop.planned({});
  CHECK(loop.now() == phase::over);
  CHECK_FALSE(loop.exhausted());
  REQUIRE(loop.records().size() == 2);
  CHECK(loop.records()[0]
        == brewery::sub_task_record{.description = "first",
                                    .goal = "a",
                                    .tries = 2,
                                    .actions = 6,
                                    .probes = 3,
                                    .met = false,
                                    .report = "still not"});
  CHECK(loop.records()[1].met);
}

TEST_CASE("an attempt ends at its limits without another plan") {
  sub_task_loop loop{
      {.actions_per_try = 4, .tries = 2, .actions = 6, .plans = 80}};
  loop.planned({{"a", ""}});
  loop.acted(4);
  CHECK(loop.actions_left() == 0);
  loop.claim();
  loop.checked(false, "", 0);
  CHECK(loop.actions_left() == 2); // of the attempt
  loop.acted(2);
  loop.claim();
  loop.checked(false, "", 0);
  CHECK(loop.now() == phase::over);
  CHECK(loop.exhausted());
  CHECK(loop.records().size() == 1);

  sub_task_loop planner{{.plans = 2}};
  for (int i = 0; i < 2; ++i) {
    REQUIRE(planner.now() == phase::plan);
    planner.planned({{"a", ""}});
    planner.claim();
    planner.checked(true, "", 0);
  }
  CHECK(planner.now() == phase::over);
}

TEST_CASE("what comes at the wrong time is ignored") {
  sub_task_loop loop{{}};
  loop.claim();
  loop.checked(true, "", 0);
  CHECK(loop.now() == phase::plan);
  loop.planned({{"a", ""}});
  loop.planned({});
  loop.checked(true, "", 0);
  CHECK(loop.now() == phase::act);
}
