#include "envs/tau2/data/task_readers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace brewery::tau2 {

namespace {

constexpr std::array reward_names{"DB", "ENV_ASSERTION", "NL_ASSERTION",
                                  "ACTION", "COMMUNICATE"};

result<void> read_assertion(const json& value, const task_place& where,
                            env_assertion& out) {
  if (auto ok = read_call(value, where, out.call); !ok) return ok.error();
  if (const json* expected = value_of(value, "assert_value")) {
    if (!expected->is_boolean())
      return where.at("assert_value").fail("must be true or false");
    out.expected = expected->get<bool>();
  }
  return {};
}

result<void> read_action(const json& value, const task_place& where,
                         gold_action& out) {
  if (!value.is_object()) return where.fail("must be an object");
  std::string ignored;
  if (auto ok = read_text(value, "action_id", where, ignored); !ok)
    return ok.error();
  if (auto ok = read_text(value, "requestor", where, out.requestor, false); !ok)
    return ok.error();
  if (auto ok = check_side(out.requestor, "requestor", where); !ok)
    return ok.error();
  if (auto ok = read_text(value, "name", where, out.name); !ok)
    return ok.error();
  if (auto ok = read_arguments(value, where, out.arguments); !ok)
    return ok.error();
  if (const json* compared = value_of(value, "compare_args"))
    return read_texts(*compared, where.at("compare_args"),
                      out.compare_args.emplace());
  return {};
}

result<void> read_basis(const json& value, const task_place& where,
                        std::vector<reward_part>& out) {
  std::vector<std::string> names;
  if (auto ok = read_texts(value, where, names); !ok) return ok.error();
  out.clear();
  for (const auto& name : names) {
    const auto at = std::find(reward_names.begin(), reward_names.end(), name);
    if (at == reward_names.end())
      return where.fail(fmt::format("has the unknown part {} (one of: {})",
                                    json(name).dump(),
                                    fmt::join(reward_names, ", ")));
    out.push_back(static_cast<reward_part>(at - reward_names.begin()));
  }
  return {};
}

} // namespace

result<void> read_criteria(const json& value, const task_place& where,
                           task_criteria& out) {
  if (!value.is_object()) return where.fail("must be an object");
  if (const json* list = value_of(value, "actions"))
    if (auto ok = read_list(*list, where.at("actions"), out.actions.emplace(),
                            read_action);
        !ok)
      return ok.error();
  if (const json* list = value_of(value, "env_assertions"))
    if (auto ok = read_list(*list, where.at("env_assertions"),
                            out.env_assertions.emplace(), read_assertion);
        !ok)
      return ok.error();
  if (const json* list = value_of(value, "communicate_info"))
    if (auto ok = read_texts(*list, where.at("communicate_info"),
                             out.communicate_info);
        !ok)
      return ok.error();
  if (const json* list = value_of(value, "nl_assertions"))
    if (auto ok =
            read_texts(*list, where.at("nl_assertions"), out.nl_assertions);
        !ok)
      return ok.error();
  if (const json* list = value_of(value, "reward_basis"))
    return read_basis(*list, where.at("reward_basis"), out.reward_basis);
  return {};
}

std::string_view to_string(reward_part part) {
  return reward_names[static_cast<std::size_t>(part)];
}

bool task_criteria::counts(reward_part part) const {
  return std::find(reward_basis.begin(), reward_basis.end(), part)
         != reward_basis.end();
}

} // namespace brewery::tau2
