#pragma once
/// Keys of a cluster: CURVE key pairs in files, and who is allowed in. A key
/// directory holds
///
///   NAME.key           the pair of coordinator, worker or operator; mode 0600
///   NAME.pub           its public half, to be handed around
///   allowed/NAME.pub   "worker KEY" or "operator KEY": may connect
///   revoked/NAME.pub   was allowed once
///
/// A file that others can read is refused. A `.pub` file of a coordinator may
/// hold several keys, one a line: a worker tries them in turn, so that the
/// coordinator's key can be changed while workers run.

#include "base/result.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace brewery {

/// Z85 text, 40 characters each.
struct curve_pair {
  std::string public_key;
  std::string secret_key;
};

enum class peer_role { worker, operator_, coordinator };
std::string_view to_string(peer_role role);
result<peer_role> parse_peer_role(std::string_view text);

curve_pair make_curve_pair();

/// ec::io when the permissions are too wide, ec::malformed when it is none.
result<curve_pair> read_key_file(const std::filesystem::path& file);
/// The public keys in a file, one a line.
result<std::vector<std::string>>
read_public_keys(const std::filesystem::path& file);

struct allowed_peer {
  std::string name;
  peer_role role = peer_role::worker;
  std::string public_key;
  bool revoked = false;
};

/// The directory of keys as a coordinator or `brewery keys` uses it.
class key_directory {
public:
  explicit key_directory(std::filesystem::path path) : path_(std::move(path)) {}

  /// Writes NAME.key and NAME.pub, and unless it is a coordinator's, lets it
  /// in. ec::already_exists for a name that is taken.
  result<allowed_peer> create(const std::string& name, peer_role role) const;
  /// Allowed and revoked ones, by name. Broken files are errors.
  [[nodiscard]] result<std::vector<allowed_peer>> list() const;
  /// Who is allowed under this key, 0..1. Files that cannot be read shut out
  /// nobody else: they are an error only when one of them may hold the key.
  [[nodiscard]] result<std::vector<allowed_peer>>
  find(const std::string& public_key) const;
  /// ec::not_found with the names there are.
  result<void> revoke(const std::string& name) const;

  [[nodiscard]] std::filesystem::path key_file(const std::string& name) const {
    return path_ / (name + ".key");
  }
  [[nodiscard]] std::filesystem::path
  public_file(const std::string& name) const {
    return path_ / (name + ".pub");
  }

private:
  std::filesystem::path path_;
};

} // namespace brewery
