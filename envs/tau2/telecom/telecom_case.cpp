#include "envs/tau2/telecom/telecom_case.hpp"

#include "base/rng.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace brewery::tau2 {

namespace {

/// The facts that argument templates of the catalogue refer to.
struct case_facts {
  std::string customer, line, bill;
  double used_up = 0;  ///< GB, just over the plan's limit
  double refuel = 2.0; ///< GB, the only size; more than is used up
  std::string place;

  explicit case_facts(const telecom_case& item)
      : customer(item.line.customer_id), line(item.line.line_id),
        bill("B9" + item.line.line_id.substr(1)) {
    constexpr std::array<const char*, 6> countries{
        "Portugal", "Norway", "Japan", "Mexico", "Kenya", "Greece"};
    rng draw{rng_key(item.facts_seed, "facts")};
    place = item.abroad ? fmt::format("abroad, country: {}",
                                      countries[draw.below(countries.size())])
                        : "at home";
    // In tenths of GB, so that the printed number is exact.
    used_up = (std::round(item.line.data_limit_gb * 10)
               + static_cast<double>(1 + draw.below(5)))
              / 10;
  }

  json value_of(const std::string& name) const {
    if (name == "$customer") return customer;
    if (name == "$line") return line;
    if (name == "$bill") return bill;
    if (name == "$used_up") return used_up;
    BREWERY_ASSERT(name == "$refuel");
    return refuel;
  }
};

json arguments_of(const fault_call& call, const case_facts& facts) {
  json arguments = json::parse(call.arguments);
  for (auto& [key, value] : arguments.items())
    if (value.is_string()
        && value.get_ref<const std::string&>().starts_with('$'))
      value = facts.value_of(value.get<std::string>());
  return arguments;
}

json setup_call(const fault_call& call, const case_facts& facts) {
  return {{"env_type", call.who},
          {"func_name", call.function},
          {"arguments", arguments_of(call, facts)}};
}

/// A working phone at the right place, then every cause, then its effects on
/// the phone.
json initial_state(const telecom_case& item, const case_facts& facts) {
  const auto has = [&item](std::string_view id) {
    return std::any_of(item.faults.begin(), item.faults.end(),
                       [id](const telecom_fault* f) { return f->id == id; });
  };
  json calls = json::array();
  calls.push_back({{"env_type", "user"},
                   {"func_name", "set_user_info"},
                   {"arguments",
                    {{"name", item.line.full_name},
                     {"phone_number", item.line.phone_number}}}});
  const auto add = [&](const fault_call& call) {
    calls.push_back(setup_call(call, facts));
  };
  if (item.abroad) {
    add({"user", "set_user_location", R"({"abroad":true})"});
    if (!has("roaming_off")) add({"user", "turn_roaming_on"});
    if (!has("roaming_not_in_contract"))
      add({"assistant", "enable_roaming",
           R"({"customer_id":"$customer","line_id":"$line"})"});
  }
  for (const telecom_fault* fault : item.faults)
    for (const auto& call : fault->cause)
      add(call);
  add({"user", "simulate_network_search"});
  return {{"initialization_actions", std::move(calls)}};
}

json gold_actions(const telecom_case& item, const case_facts& facts,
                  bool hand_over) {
  json actions = json::array();
  const auto add = [&](const fault_call& call) {
    actions.push_back(
        {{"action_id", fmt::format("{}_{}", call.function, actions.size())},
         {"requestor", call.who},
         {"name", call.function},
         {"arguments", arguments_of(call, facts)}});
  };
  if (hand_over) {
    add({"assistant", "transfer_to_human_agents",
         R"({"summary":"This cannot be cured at the desk."})"});
    // The wording is up to the agent: the call counts, not its arguments.
    actions.back()["compare_args"] = json::array();
    return actions;
  }
  bool reboot = false;
  for (const telecom_fault* fault : item.faults) {
    for (const auto& call : fault->remedy)
      add(call);
    reboot = reboot || fault->reboot;
  }
  if (reboot) add({"user", "reboot_device"});
  return actions;
}

json grading(const telecom_case& item, const case_facts& facts) {
  const bool hand_over =
      std::any_of(item.faults.begin(), item.faults.end(),
                  [](const telecom_fault* f) { return f->hand_over; });
  json assertions = json::array();
  const auto add = [&](const fault_call& call) {
    json assertion = setup_call(call, facts);
    assertion["assert_value"] = true;
    assertions.push_back(std::move(assertion));
  };
  if (hand_over) {
    add({"user", "assert_service_status",
         R"({"expected_status":"no_service"})"});
  } else if (item.complaint == no_service) {
    add({"user", "assert_service_status",
         R"({"expected_status":"connected"})"});
  } else if (item.complaint == mobile_data) {
    add({"user", "assert_mobile_data_status", R"({"expected_status":true})"});
    add({"user", "assert_internet_speed",
         R"({"expected_speed":200,"expected_desc":"excellent"})"});
  } else {
    add({"user", "assert_can_send_mms", R"({"expected_status":true})"});
  }
  if (!hand_over)
    for (const telecom_fault* fault : item.faults)
      for (const auto& call : fault->proof)
        add(call);
  json basis = {"ENV_ASSERTION"};
  if (hand_over) basis.push_back("ACTION");
  return {{"actions", gold_actions(item, facts, hand_over)},
          {"env_assertions", std::move(assertions)},
          {"reward_basis", std::move(basis)}};
}

struct complaint_text {
  std::string_view name, trouble, solved;
};

complaint_text text_of(std::uint8_t complaint) {
  switch (complaint) {
  case no_service:
    return {"no_service", "no signal and no calls in either direction",
            "the phone shows a working connection again"};
  case mobile_data:
    return {"mobile_data", "mobile internet is dead or far too slow",
            "a speed test on the phone comes out excellent"};
  default:
    return {"picture_mms", "picture messages do not leave the phone",
            "the phone is able to send a picture message"};
  }
}

/// Facts as `key: value`, one thought per sentence.
std::string ticket(const telecom_case& item, const case_facts& facts) {
  const auto text = text_of(item.complaint);
  const std::string allowed =
      item.complaint == no_service
          ? "pay whatever bill is overdue"
          : fmt::format(
              "top up {:.1f} GB of data if the allowance is gone, pay "
              "whatever bill is overdue, keep the plan",
              facts.refuel);
  return fmt::format("Complaint: {}. Customer name: {}, phone number: {}, "
                     "current location: {}. Solved when: {}. Allowed: {}.",
                     text.trouble, item.line.full_name, item.line.phone_number,
                     facts.place, text.solved, allowed);
}

/// For a simulated user. Solo mode uses only the ticket.
json user_scenario(const telecom_case& item, const case_facts& facts) {
  const auto text = text_of(item.complaint);
  return {
      {"instructions",
       {{"domain", "telecom"},
        {"reason_for_call",
         fmt::format("You call because of this: {}.", text.trouble)},
        {"known_info",
         fmt::format("You are {}, phone number {}. Your location: {}.",
                     item.line.full_name, item.line.phone_number, facts.place)},
        {"task_instructions",
         fmt::format("Say what your phone shows, never a guess. You are "
                     "content when {}. You agree to a top-up of {:.1f} GB "
                     "and to paying an overdue bill, not to a new plan.",
                     text.solved, facts.refuel)}}}};
}

} // namespace

generated_task make_task(const telecom_case& item, std::string_view split) {
  const case_facts facts{item};
  generated_task task;
  task.split = split;
  task.complaint = item.complaint;
  task.abroad = item.abroad;
  task.line = item.line;
  for (const telecom_fault* fault : item.faults)
    task.faults.emplace_back(fault->id);
  task.id = fmt::format("{}/{}/{}", text_of(item.complaint).name,
                        item.line.line_id, fmt::join(task.faults, "+"));
  task.document = {
      {"id", task.id},
      {"description",
       {{"purpose",
         fmt::format("{} fault(s) behind one complaint", task.faults.size())}}},
      {"user_scenario", user_scenario(item, facts)},
      {"ticket", ticket(item, facts)},
      {"initial_state", initial_state(item, facts)},
      {"evaluation_criteria", grading(item, facts)},
  };
  return task;
}

} // namespace brewery::tau2
