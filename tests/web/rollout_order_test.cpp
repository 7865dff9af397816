#include "web/export/rollout_order.hpp"

#include <catch2/catch.hpp>

using namespace brewery;
using namespace brewery::web;

TEST_CASE("a folder has a little of everything before more of anything") {
  evidence_insight seen;
  for (const char* job : {"e1", "e2", "e3", "e4"})
    seen.rollouts.push_back({{job}, {"a"}});
  manifest_document fan;
  fan.evidence = {{1, {seen}}};
  manifest about;
  about.documents = {fan};
  evidence_rollouts evidence;
  evidence.add(about);
  std::vector<exported_rollout> all{{"other", "a", 0},
                                    {"e4", "a", 0},
                                    {"second", "a", 1, {"no KB"}},
                                    {"e2", "a", 0},
                                    {"first", "a", 0, {"no KB"}},
                                    {"of another arm", "a", 2, {"learned"}},
                                    {"e1", "a", 0}};
  put_in_order(all, evidence);
  std::vector<std::string> ids;
  for (const auto& one : all)
    ids.push_back(one.id);
  CHECK(ids
        == std::vector<std::string>{"first", "of another arm", "e2", "e1", "e4",
                                    "second", "other"});
}
