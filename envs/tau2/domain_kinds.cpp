#include "envs/tau2/domain_kinds.hpp"

#include "base/text.hpp"
#include "envs/tau2/airline/airline_domain.hpp"
#include "envs/tau2/retail/retail_domain.hpp"
#include "envs/tau2/telecom/telecom_domain.hpp"

#include <fmt/format.h>

namespace brewery::tau2 {

const std::vector<domain_kind>& domain_kinds() {
  static const std::vector<domain_kind> kinds{
      {.kind = "tau2-telecom",
       .folder = "telecom",
       .databases = {"db.toml", "user_db.toml"},
       .solo_policy = {{"main_policy", "main_policy_solo.md"},
                       {"tech_support_policy", "tech_support_manual.md"}},
       .user_policy = {{"main_policy", "main_policy.md"},
                       {"tech_support_policy", "tech_support_manual.md"}},
       .usual = play_mode::solo,
       .load = load_telecom},
      {.kind = "tau2-retail",
       .folder = "retail",
       .databases = {"db.json"},
       .solo_policy = {},
       .user_policy = {{"", "policy.md"}},
       .usual = play_mode::with_user,
       .load = load_retail},
      {.kind = "tau2-airline",
       .folder = "airline",
       .databases = {"db.json"},
       .solo_policy = {},
       .user_policy = {{"", "policy.md"}},
       .usual = play_mode::with_user,
       .load = load_airline},
  };
  return kinds;
}

result<const domain_kind*> find_domain_kind(std::string_view kind) {
  std::vector<std::string> names;
  for (const auto& known : domain_kinds()) {
    if (known.kind == kind) return &known;
    names.emplace_back(known.kind);
  }
  return error{ec::invalid_argument,
               fmt::format("there is no tau2-bench domain \"{}\" (one of: {})",
                           kind, join(names, ", "))};
}

result<std::filesystem::path>
find_domain_folder(const domain_kind& kind, const std::filesystem::path& data) {
  std::error_code ignored;
  std::vector<std::string> tried;
  for (const char* inside :
       {"data/tau2/domains", "tau2/domains", "domains", ""}) {
    const auto folder = *inside == '\0' ? data : data / inside / kind.folder;
    const auto database = folder / kind.databases.front();
    if (std::filesystem::exists(database, ignored)) return folder;
    tried.push_back(database.string());
  }
  if (!std::filesystem::exists(data, ignored))
    return error{ec::not_found,
                 fmt::format("{}: no such directory", data.string())};
  return error{ec::version_mismatch,
               fmt::format("{}: holds no {} data of tau2-bench 1.0.1; looked "
                           "for {}",
                           data.string(), kind.folder, join(tried, ", "))};
}

} // namespace brewery::tau2
