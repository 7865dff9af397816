#pragma once
/// The telecom domain: the operator's records and the user's phone, behind the
/// port of `domain.hpp`.

#include "envs/tau2/domain.hpp"
#include "envs/tau2/telecom/telecom_state.hpp"

#include <filesystem>

namespace brewery::tau2 {

class telecom_domain_state final : public domain_state {
public:
  explicit telecom_domain_state(telecom_state state)
      : state_(std::move(state)) {}

  [[nodiscard]] std::unique_ptr<domain_state> clone() const override;
  result<tool_value> use_tool(std::string_view side, std::string_view name,
                              const json& arguments) override;
  result<tool_value> run_function(const function_call& call) override;
  result<void> sync() override { return sync_tools(state_); }
  [[nodiscard]] std::string agent_hash() const override;
  [[nodiscard]] std::string user_hash() const override;
  [[nodiscard]] bool same(const domain_state& other) const override;

  [[nodiscard]] const telecom_state& state() const { return state_; }

private:
  telecom_state state_;
};

class telecom_domain final : public domain {
public:
  explicit telecom_domain(telecom_state base) : base_(std::move(base)) {}

  [[nodiscard]] std::string_view name() const override { return "telecom"; }
  [[nodiscard]] const std::vector<tool_spec>&
  tools(std::string_view side) const override;
  [[nodiscard]] task_vocabulary vocabulary() const override;
  [[nodiscard]] std::unique_ptr<domain_state> initial() const override;

private:
  telecom_state base_;
};

/// `folder` holds db.toml and user_db.toml.
result<std::shared_ptr<const domain>>
load_telecom(const std::filesystem::path& folder);

} // namespace brewery::tau2
