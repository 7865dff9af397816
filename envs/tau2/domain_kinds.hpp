#pragma once
/// The domains of tau2-bench there are: where their data lies and how it is
/// loaded. A further domain is a further row.

#include "envs/tau2/domain.hpp"

#include <filesystem>

namespace brewery::tau2 {

/// One file of a policy, in a tag of this name; empty: in none.
struct policy_file {
  std::string_view tag;
  std::string_view file;
};

struct domain_kind {
  std::string_view kind;   ///< as configurations name it: "tau2-telecom"
  std::string_view folder; ///< below tau2/domains
  /// What the domain loads, by name inside the folder; the first one tells
  /// whether a folder is the domain's.
  std::vector<std::string_view> databases;
  /// Parts of the policy the agent is told; none: the mode does not exist.
  std::vector<policy_file> solo_policy;
  std::vector<policy_file> user_policy;
  play_mode usual; ///< mode where none is asked for
  result<std::shared_ptr<const domain>> (*load)(
      const std::filesystem::path& folder);

  [[nodiscard]] const std::vector<policy_file>& policy(play_mode mode) const {
    return mode == play_mode::solo ? solo_policy : user_policy;
  }
};

const std::vector<domain_kind>& domain_kinds();

/// Error ec::invalid_argument naming those there are.
result<const domain_kind*> find_domain_kind(std::string_view kind);

/// The domain's folder in `data`: a tau2-bench checkout, its data directory, or
/// the folder itself. Error ec::not_found, or ec::version_mismatch when there
/// is none inside.
result<std::filesystem::path>
find_domain_folder(const domain_kind& kind, const std::filesystem::path& data);

/// What the agent is told: instructions for the mode and the policy. Data
/// without any policy file (a generated one) has only the instructions; one
/// that is missing beside others is an error, and so is none for talking.
result<std::string> read_briefing(const domain_kind& kind,
                                  const std::filesystem::path& folder,
                                  play_mode mode);

/// Where it says how to play a user: in the user_simulator folder beside the
/// domains.
std::filesystem::path guidelines_file(const std::filesystem::path& folder,
                                      bool with_tools);
result<std::string> read_guidelines(const std::filesystem::path& folder,
                                    bool with_tools);

} // namespace brewery::tau2
