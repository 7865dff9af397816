#pragma once
/// The supported domains of tau2-bench: where their data is and how it is
/// loaded. To add a domain, add a row.

#include "envs/tau2/domain.hpp"

#include <filesystem>

namespace brewery::tau2 {

/// One file of a policy. The text is put into a tag of this name; empty: no
/// tag.
struct policy_file {
  std::string_view tag;
  std::string_view file;
};

struct domain_kind {
  std::string_view kind;   ///< name in configurations: "tau2-telecom"
  std::string_view folder; ///< below tau2/domains
  /// The domain's databases, as file names inside the folder. The first one
  /// identifies a folder of the domain.
  std::vector<std::string_view> databases;
  /// The parts of the policy for the agent; empty: the mode does not exist.
  std::vector<policy_file> solo_policy;
  std::vector<policy_file> user_policy;
  play_mode usual; ///< default mode
  result<std::shared_ptr<const domain>> (*load)(
      const std::filesystem::path& folder);

  [[nodiscard]] const std::vector<policy_file>& policy(play_mode mode) const {
    return mode == play_mode::solo ? solo_policy : user_policy;
  }
};

const std::vector<domain_kind>& domain_kinds();

/// Error ec::invalid_argument lists the known kinds.
result<const domain_kind*> find_domain_kind(std::string_view kind);

/// Finds the domain's folder in `data`: a tau2-bench checkout, its data
/// directory, or the folder itself. Error ec::not_found; or
/// ec::version_mismatch if `data` contains none.
result<std::filesystem::path>
find_domain_folder(const domain_kind& kind, const std::filesystem::path& data);

/// The briefing: instructions for the mode, and the policy. Data without any
/// policy file (as generated) has only the instructions. An incomplete set of
/// policy files is an error; so is having none in conversation mode.
result<std::string> read_briefing(const domain_kind& kind,
                                  const std::filesystem::path& folder,
                                  play_mode mode);

/// The file with the guidelines for users: in the folder user_simulator beside
/// the domains.
std::filesystem::path guidelines_file(const std::filesystem::path& folder,
                                      bool with_tools);
result<std::string> read_guidelines(const std::filesystem::path& folder,
                                    bool with_tools);

} // namespace brewery::tau2
