#include "base/rng.hpp"
#include "tests/envs/tau2/small_store.hpp"

using namespace brewery;
using namespace brewery::test;

namespace {

/// Paths of all values below `value`, the value itself included.
void collect(const json& value, const json::json_pointer& at,
             std::vector<json::json_pointer>& out) {
  out.push_back(at);
  if (value.is_object())
    for (const auto& [key, member] : value.items())
      collect(member, at / key, out);
  if (value.is_array())
    for (std::size_t i = 0; i < value.size(); ++i)
      collect(value[i], at / i, out);
}

json odd_value(rng& draw) {
  static const std::vector<json> odd{nullptr,
                                     true,
                                     -1,
                                     2.5,
                                     "",
                                     "odd",
                                     json::array(),
                                     {1, "a"},
                                     json::object(),
                                     {{"name", {}}},
                                     "a\x1b[31mb\n",
                                     std::string(3000, 'x')};
  return odd[draw.below(odd.size())];
}

void change(json& document, rng& draw) {
  std::vector<json::json_pointer> places;
  collect(document, json::json_pointer{}, places);
  const auto at = places[1 + draw.below(places.size() - 1)];
  auto& parent = document[at.parent_pointer()];
  switch (draw.below(3)) {
  case 0:
    document[at] = odd_value(draw);
    return;
  case 1:
    if (parent.is_object())
      parent.erase(at.back());
    else
      parent.erase(std::stoul(at.back()));
    return;
  default:
    if (parent.is_object())
      parent["unheard of"] = odd_value(draw);
    else
      parent.push_back(document[at]);
  }
}

} // namespace

TEST_CASE("a damaged task file loads whole or is refused in one line") {
  const small_store files;
  const auto intact = json::parse(small_tasks);
  std::size_t refused = 0, loaded = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    rng draw{seed};
    auto tasks = intact;
    for (std::uint64_t i = 0; i <= draw.below(3); ++i)
      change(tasks, draw);
    INFO("seed " << seed << ": " << tasks.dump().substr(0, 2000));
    files.write("tasks.json", tasks.dump());
    const auto bench = tau2::load_tau2("tau2-telecom", files.folder());
    if (!bench) {
      ++refused;
      const auto& message = bench.error().message;
      INFO(message);
      CHECK(message.find('\n') == std::string::npos);
      CHECK(message.find(".json") != std::string::npos);
      continue;
    }
    ++loaded;
    // What was accepted can be set up, or says why not.
    for (const auto& info : (*bench)->tasks()) {
      const auto env = (*bench)->make(info.id);
      if (!env) {
        CHECK_FALSE(env.error().message.empty());
        continue;
      }
      const auto grade = *(*env)->grade();
      CHECK(grade.reward >= 0.0);
      CHECK(grade.reward <= 1.0);
    }
  }
  CHECK(refused > 100);
  CHECK(loaded > 20);
}

TEST_CASE("a torn task file is refused with its line, wherever it is torn") {
  const small_store files;
  for (std::size_t size = 0; size + 1 < small_tasks.size(); size += 13) {
    const auto torn = small_tasks.substr(0, size);
    INFO("after " << size << " bytes");
    files.write("tasks.json", torn);
    const auto lines = 1 + std::count(torn.begin(), torn.end(), '\n');
    const auto text = files.refusal();
    const auto at = text.find("tasks.json:");
    REQUIRE(at != std::string::npos);
    const auto line = std::stol(text.substr(at + 11));
    CHECK(line >= 1);
    CHECK(line <= lines);
    CHECK(text.find("is not JSON") != std::string::npos);
  }
}
