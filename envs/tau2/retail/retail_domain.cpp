#include "envs/tau2/retail/retail_domain.hpp"

#include "base/text.hpp"
#include "envs/tau2/retail/retail_models.hpp"
#include "envs/tau2/retail/retail_tools.hpp"
#include "messages/json.hpp"

#include <fmt/format.h>

namespace brewery::tau2 {

namespace {

class retail_state final : public domain_state {
public:
  explicit retail_state(record_db db) : db_(std::move(db)) {}

  std::unique_ptr<domain_state> clone() const override {
    return std::make_unique<retail_state>(*this);
  }

  result<tool_value> use_tool(std::string_view side, std::string_view name,
                              const json& arguments) override {
    const auto* tool =
        side == "assistant" ? retail_tools().find_tool(name) : nullptr;
    if (tool == nullptr)
      return error{ec::not_found, fmt::format("Tool '{}' not found.", name)};
    return retail_tools().call(*tool, db_, arguments);
  }

  /// The domain has no functions besides tools; set-up may call those.
  result<tool_value> run_function(const function_call& call) override {
    return use_tool(call.env_type, call.name, call.arguments);
  }

  std::string agent_hash() const override { return database_hash(db_); }
  std::string user_hash() const override { return {}; }

  bool same(const domain_state& other) const override {
    return same_database(db_, dynamic_cast<const retail_state&>(other).db_);
  }

private:
  record_db db_;
};

/// Empty, or why the tool does not exist.
std::string tool_problem(std::string_view side, const std::string& name) {
  if (side != "assistant")
    return fmt::format("names {} for the {} side, which has no tools in the "
                       "retail domain",
                       json_quoted(name), side);
  if (retail_tools().find_tool(name) != nullptr) return {};
  std::vector<std::string> names;
  for (const auto& f : retail_tools().functions())
    names.push_back(f.spec.name);
  return fmt::format(
      "names the tool {}, which the retail domain does not have{}",
      json_quoted(name), suggest_choice(name, names));
}

std::string set_up_problem(const function_call& call) {
  if (auto problem = tool_problem(call.env_type, call.name); !problem.empty())
    return problem;
  const auto bound =
      retail_tools().bind(*retail_tools().find(call.name), call.arguments);
  return bound ? std::string{} : bound.error().message;
}

class retail_domain final : public domain {
public:
  explicit retail_domain(record_db db) : db_(std::move(db)) {
    for (const auto& f : retail_tools().functions())
      tools_.push_back(f.spec);
  }

  std::string_view name() const override { return "retail"; }

  const std::vector<tool_spec>& tools(std::string_view side) const override {
    return side == "assistant" ? tools_ : no_tools_;
  }

  task_vocabulary vocabulary() const override {
    return {set_up_problem,
            [](const function_call& call) {
              return fmt::format(
                  "names the assertion {}; the retail domain has none",
                  json_quoted(call.name));
            },
            [](const gold_action& action) {
              return tool_problem(action.requestor, action.name);
            }};
  }

  std::unique_ptr<domain_state> initial() const override {
    return std::make_unique<retail_state>(db_);
  }

private:
  record_db db_;
  std::vector<tool_spec> tools_, no_tools_;
};

} // namespace

result<std::shared_ptr<const domain>> parse_retail(const text_file& db) {
  auto records = parse_records(db, {{"products", as_record<read_product>},
                                    {"users", as_record<read_shop_user>},
                                    {"orders", as_record<read_order>}});
  if (!records) return records.error();
  return std::shared_ptr<const domain>{
      std::make_shared<retail_domain>(std::move(*records))};
}

result<std::shared_ptr<const domain>>
load_retail(const std::filesystem::path& directory) {
  const auto file = read_text_file(directory / "db.json");
  if (!file) return file.error();
  return parse_retail(*file);
}

} // namespace brewery::tau2
