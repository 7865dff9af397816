#include "envs/tau2/airline/airline_domain.hpp"

#include "base/text.hpp"
#include "envs/tau2/airline/airline_models.hpp"
#include "envs/tau2/airline/airline_tools.hpp"
#include "messages/json.hpp"

#include <fmt/format.h>

namespace brewery::tau2 {

namespace {

class airline_state final : public domain_state {
public:
  explicit airline_state(airline_records records)
      : records_(std::move(records)) {}

  std::unique_ptr<domain_state> clone() const override {
    return std::make_unique<airline_state>(*this);
  }

  result<tool_value> use_tool(std::string_view side, std::string_view name,
                              const json& arguments) override {
    const auto* tool =
        side == "assistant" ? airline_tools().find_tool(name) : nullptr;
    if (tool == nullptr)
      return error{ec::not_found, fmt::format("Tool '{}' not found.", name)};
    return airline_tools().call(*tool, records_, arguments);
  }

  result<tool_value> run_function(const function_call& call) override {
    return error{ec::not_found,
                 fmt::format("the airline domain has no function {}",
                             json_quoted(call.name))};
  }

  std::string agent_hash() const override { return database_hash(records_.db); }
  std::string user_hash() const override { return {}; }

  bool same(const domain_state& other) const override {
    return same_database(records_.db,
                         static_cast<const airline_state&>(other).records_.db);
  }

private:
  airline_records records_;
};

std::string unknown_tool(const gold_action& action) {
  const airline_functions& kit = airline_tools();
  if (action.requestor != "assistant")
    return fmt::format("calls {} for the {} side, which has no tools",
                       json_quoted(action.name), action.requestor);
  if (kit.find_tool(action.name) != nullptr) return {};
  std::vector<std::string> names;
  for (const auto& f : kit.functions())
    names.push_back(f.spec.name);
  return fmt::format(
      "names the tool {}, which the airline domain does not have{}",
      json_quoted(action.name), suggest_choice(action.name, names));
}

class airline_domain final : public domain {
public:
  explicit airline_domain(airline_records records)
      : records_(std::move(records)) {
    for (const auto& f : airline_tools().functions())
      tools_.push_back(f.spec);
  }

  std::string_view name() const override { return "airline"; }

  const std::vector<tool_spec>& tools(std::string_view side) const override {
    return side == "assistant" ? tools_ : no_tools_;
  }

  task_vocabulary vocabulary() const override {
    const auto no_function = [](const function_call& call) {
      return fmt::format("names the function {}; the airline domain has none",
                         json_quoted(call.name));
    };
    return {no_function, no_function, unknown_tool};
  }

  std::unique_ptr<domain_state> initial() const override {
    return std::make_unique<airline_state>(records_);
  }

private:
  airline_records records_;
  std::vector<tool_spec> tools_, no_tools_;
};

} // namespace

result<std::shared_ptr<const domain>> parse_airline(const text_file& db) {
  auto records =
      parse_records(db, {{"flights", as_record<read_flight>},
                         {"users", as_record<read_airline_user>},
                         {"reservations", as_record<read_reservation>}});
  if (!records) return records.error();
  return std::shared_ptr<const domain>{
      std::make_shared<airline_domain>(airline_records{std::move(*records)})};
}

result<std::shared_ptr<const domain>>
load_airline(const std::filesystem::path& directory) {
  const auto file = read_text_file(directory / "db.json");
  if (!file) return file.error();
  return parse_airline(*file);
}

} // namespace brewery::tau2
