#include "tests/envs/tau2/small_store.hpp"

using namespace brewery;
using namespace brewery::tau2;
using namespace brewery::test;

namespace {

json on_line(const char* customer, const char* line) {
  return {{"customer_id", customer}, {"line_id", line}};
}

} // namespace

TEST_CASE("records are shown in declaration order with all their members") {
  auto state = small_state();
  CHECK(desk(state, "get_details_by_id", {{"id", "P1"}})
        == R"({"plan_id": "P1", "name": "Small", "data_limit_gb": 5.0, )"
           R"("price_per_month": 30.0, "data_refueling_price_per_gb": 0.1})");
  CHECK(desk(state, "get_details_by_id", {{"id", "D1"}})
        == R"({"device_id": "D1", "device_type": "phone", "model": "Brick", )"
           R"("imei": null, "is_esim_capable": false, "activated": false, )"
           R"("activation_date": "2025-01-02 03:04:05", )"
           R"("last_esim_transfer_date": null})");
  const std::string ada =
      desk(state, "get_customer_by_id", {{"customer_id", "C1"}});
  CHECK(ada.find(R"("created_at": "2025-01-01")") != std::string::npos);
  CHECK(desk(state, "get_customer_by_phone", {{"phone_number", "555-1"}})
        == ada);
  CHECK(desk(state, "get_customer_by_phone", {{"phone_number", "555-9"}})
        == ada);
  CHECK(desk(state, "get_customer_by_name",
             {{"full_name", "ADA quill"}, {"dob", "1980-02-03"}})
        == '[' + ada + ']');
  CHECK(desk(state, "get_customer_by_name",
             {{"full_name", "Ada Quill"}, {"dob", "1980-02-04"}})
        == "[]");
}

TEST_CASE("unknown identifiers of any type are refused in the domain's words") {
  auto state = small_state();
  CHECK(desk(state, "get_customer_by_id", {{"customer_id", 7}})
        == "Error: Customer with ID 7 not found");
  CHECK(desk(state, "get_customer_by_phone", {{"phone_number", nullptr}})
        == "Error: Customer with phone number None not found");
  CHECK(desk(state, "get_details_by_id", {{"id", "L9"}})
        == "Error: Line with ID L9 not found");
  CHECK(desk(state, "get_details_by_id", {{"id", ""}})
        == "Error: Unknown ID format or type: ");
  CHECK(desk(state, "get_details_by_id", {{"id", 5}})
        == "Error: 'int' object has no attribute 'startswith'");
  CHECK(desk(state, "get_customer_by_name", {{"full_name", 1}, {"dob", "x"}})
        == "Error: 'int' object has no attribute 'lower'");
  CHECK(desk(state, "get_data_usage", on_line("C2", "L1"))
        == "Error: Line L1 not found for customer C2");
  CHECK(desk(state, "get_data_usage",
             {{"customer_id", "C1"}, {"line_id", json::array({"L1"})}})
        == "Error: Line ['L1'] not found for customer C1");
}

TEST_CASE("bills come newest first, equal dates in their order, cut by limit") {
  auto state = small_state();
  const auto ids = [&](const json& limit) {
    json arguments = {{"customer_id", "C1"}};
    if (!limit.is_discarded()) arguments["limit"] = limit;
    const std::string text = desk(state, "get_bills_for_customer", arguments);
    if (text.rfind("Error", 0) == 0) return text;
    std::string found;
    for (const auto& bill : json::parse(text))
      found += bill.at("bill_id").get<std::string>();
    return found;
  };
  CHECK(ids(json(json::value_t::discarded)) == "B2B3B1");
  CHECK(ids(2) == "B2B3");
  CHECK(ids(0).empty());
  CHECK(ids(-1) == "B2B3");
  CHECK(ids(-9).empty());
  CHECK(ids(true) == "B2");
  CHECK(ids(nullptr) == "B2B3B1");
  CHECK(ids(std::numeric_limits<std::int64_t>::min()).empty());
  CHECK(ids(std::numeric_limits<std::uint64_t>::max()) == "B2B3B1");
  CHECK(ids("2").rfind("Error: slice indices must be integers", 0) == 0);
  CHECK(ids(1.0).rfind("Error: slice indices must be integers", 0) == 0);
}

TEST_CASE("a line is suspended only when active and resumed only when not") {
  auto state = small_state();
  json arguments = on_line("C1", "L1");
  CHECK(desk(state, "resume_line", arguments)
        == "Error: Line must be suspended to resume");
  json with_reason = arguments;
  with_reason["reason"] = "asked";
  const auto suspended = json::parse(desk(state, "suspend_line", with_reason));
  CHECK(suspended.at("line").at("status") == "Suspended");
  CHECK(suspended.at("line").at("suspension_start_date") == "2025-02-25");
  CHECK(desk(state, "suspend_line", with_reason)
        == "Error: Line must be active to suspend");
  const auto resumed = json::parse(desk(state, "resume_line", arguments));
  CHECK(resumed.at("line").at("status") == "Active");
  CHECK(resumed.at("line").at("suspension_start_date").is_null());
}

TEST_CASE("roaming is switched once and then reported as already so") {
  auto state = small_state();
  CHECK(desk(state, "disable_roaming", on_line("C1", "L1"))
        == "Roaming was already disabled");
  CHECK(desk(state, "enable_roaming", on_line("C1", "L1"))
        == "Roaming enabled successfully");
  CHECK(desk(state, "enable_roaming", on_line("C1", "L1"))
        == "Roaming was already enabled");
  CHECK(desk(state, "disable_roaming", on_line("C1", "L1"))
        == "Roaming disabled successfully");
}

TEST_CASE("refuelling tells ints from floats and charges the draft bill") {
  auto state = small_state();
  const auto refuel = [&](const json& amount) {
    json arguments = on_line("C1", "L1");
    arguments["gb_amount"] = amount;
    return desk(state, "refuel_data", arguments);
  };
  CHECK(refuel(2)
        == R"({"message": "Successfully added 2 GB of data for line L1 for )"
           R"($0.20", "new_data_refueling_gb": "2.0", "charge": "0.2"})");
  CHECK(refuel(1.0).find("added 1.0 GB") != std::string::npos);
  CHECK(refuel(true).find("added True GB") != std::string::npos);
  CHECK(refuel(0) == "Error: Refuel amount must be positive");
  CHECK(refuel("2")
        == "Error: '<=' not supported between instances of 'str' and 'int'");
  const bill& draft = *(*state.accounts.bills)[2];
  REQUIRE(draft.line_items.size() == 3);
  CHECK(draft.line_items[0].description == "Data refueling: 2 GB at $0.1/GB");
  CHECK(draft.line_items[1].description == "Data refueling: 1.0 GB at $0.1/GB");
  CHECK(draft.total_due == 0.2 + 0.1 + 0.1);
}

TEST_CASE("a charge without a draft bill opens next month's, always the same") {
  std::string ids[2];
  for (auto& id : ids) {
    auto state = small_state();
    json arguments = on_line("C2", "L2");
    arguments["gb_amount"] = 1;
    CHECK(desk(state, "refuel_data", arguments).rfind("{", 0) == 0);
    const bill& opened = *state.accounts.bills->back();
    CHECK(opened.status == bill_status::draft);
    CHECK(opened.period_start.text == "2025-03-01");
    CHECK(opened.period_end.text == "2025-03-31");
    CHECK(opened.due_date.text == "2025-03-15");
    CHECK((*state.accounts.customers)[1]->bill_ids.back() == opened.bill_id);
    id = opened.bill_id;
  }
  CHECK(ids[0] == ids[1]);
  CHECK(ids[0].size() == 9);
}

TEST_CASE("one bill may await payment, paying on the phone settles it") {
  auto state = small_state();
  phone(state, "set_user_info", {{"name", "Ada"}, {"phone_number", "555-1"}});
  const auto ask = [&](const char* bill) {
    return desk(state, "send_payment_request",
                {{"customer_id", "C1"}, {"bill_id", bill}});
  };
  CHECK(ask("B9") == "Error: Bill B9 not found for customer C1");
  CHECK(ask("B2") == "Payment request sent to the customer for bill B2");
  CHECK(ask("B1")
        == "Error: A bill is already awaiting payment for this customer");
  CHECK(phone(state, "make_payment") == "You do not have a payment request.");
  REQUIRE(sync_tools(state).has_value());
  CHECK(phone(state, "check_payment_request")
        == "You have a payment request for bill B2 of 12.25 USD.");
  CHECK(phone(state, "make_payment")
        == "Payment of 12.25 USD has been made for bill B2.");
  REQUIRE(sync_tools(state).has_value());
  CHECK((*state.accounts.bills)[1]->status == bill_status::paid);
  CHECK(phone(state, "check_payment_request")
        == "No payment request has been made.");
}

TEST_CASE("sync carries the line's facts to the phone") {
  auto state = small_state();
  desk(state, "suspend_line_for_overdue_bill",
       {{"customer_id", "C1"},
        {"line_id", "L1"},
        {"new_bill_id", "B8"},
        {"contract_ended", true}});
  REQUIRE(sync_tools(state).has_value());
  CHECK(state.user->surroundings.line_active); // nobody's phone yet
  phone(state, "set_user_info", {{"name", "Ada"}, {"phone_number", "555-1"}});
  desk(state, "enable_roaming", on_line("C1", "L1"));
  REQUIRE(sync_tools(state).has_value());
  CHECK_FALSE(state.user->surroundings.line_active);
  CHECK(state.user->surroundings.roaming_allowed);
  CHECK_FALSE(state.user->surroundings.mobile_data_usage_exceeded);
  json usage = on_line("C1", "L1");
  usage["data_used_gb"] = 5;
  CHECK(desk(state, "set_data_usage", usage)
        == "Data usage set to 5 GB for line L1");
  REQUIRE(sync_tools(state).has_value());
  CHECK(state.user->surroundings.mobile_data_usage_exceeded);
  CHECK(desk(state, "get_data_usage", on_line("C1", "L1"))
            .find(R"("data_used_gb": "5",)")
        != std::string::npos);
  phone(state, "set_user_info", {{"name", "Ada"}, {"phone_number", "555-0"}});
  const auto lost = sync_tools(state);
  REQUIRE_FALSE(lost.has_value());
  CHECK(lost.error().message == "Line with phone number 555-0 not found");
}

TEST_CASE("desk assertions hold exactly for their state") {
  auto state = small_state();
  json amount = on_line("C1", "L1");
  amount["expected_amount"] = 0;
  CHECK(desk(state, "assert_data_refueling_amount", amount) == "met");
  amount["expected_amount"] = 0.01;
  CHECK(desk(state, "assert_data_refueling_amount", amount) == "not met");
  json status = on_line("C1", "L1");
  status["expected_status"] = "Active";
  CHECK(desk(state, "assert_line_status", status) == "met");
  status["expected_status"] = 1;
  CHECK(desk(state, "assert_line_status", status) == "not met");
  const json unpaid = {{"overdue_bill_id", "B8"}};
  CHECK(desk(state, "assert_no_overdue_bill", unpaid) == "met");
  const json suspension = {{"customer_id", "C1"},
                           {"line_id", "L1"},
                           {"new_bill_id", "B8"},
                           {"contract_ended", false}};
  CHECK(desk(state, "suspend_line_for_overdue_bill", suspension)
        == "Line L1 suspended for unpaid bill B8. Contract ended: False");
  CHECK(desk(state, "assert_no_overdue_bill", unpaid) == "not met");
  const json overdue = {{"customer_id", "C1"}, {"overdue_bill_id", "B8"}};
  CHECK(desk(state, "assert_overdue_bill_exists", overdue) == "met");
  CHECK(desk(state, "suspend_line_for_overdue_bill", suspension)
        == "Error: Line must be active to suspend for unpaid bill");
  CHECK(desk(state, "get_available_plan_ids") == R"(["P1"])");
}
