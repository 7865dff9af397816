#pragma once
/// The keys of a cluster: CURVE key pairs in files, and the list of keys that
/// may connect. A key directory contains
///
///   NAME.key           key pair of one participant; file mode 0600
///   NAME.pub           its public key, which may be distributed
///   allowed/NAME.pub   "worker KEY" or "operator KEY": may connect
///   revoked/NAME.pub   may no longer connect
///
/// A key file that others can read is refused. A coordinator's `.pub` file may
/// hold several keys, one per line. A worker tries them in turn, so the
/// coordinator's key can be changed while workers run.

#include "base/result.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace brewery {

/// A key pair; each key is Z85 text of 40 characters.
struct curve_pair {
  std::string public_key;
  std::string secret_key;
};

enum class peer_kind { worker, operator_, coordinator };
std::string_view to_string(peer_kind role);
result<peer_kind> parse_peer_kind(std::string_view text);

curve_pair make_curve_pair();

/// Error ec::io: the permissions are too wide. Error ec::malformed: the file is
/// not a key file.
result<curve_pair> read_key_file(const std::filesystem::path& file);
/// The public keys in a file, one per line.
result<std::vector<std::string>>
read_public_keys(const std::filesystem::path& file);

struct allowed_peer {
  std::string name;
  peer_kind role = peer_kind::worker;
  std::string public_key;
  bool revoked = false;
};

struct key_listing {
  std::vector<allowed_peer> peers; ///< by name
  std::vector<error> unread;       ///< files and folders that cannot be read
};

/// Public keys, and the NAME under which each was allowed when it was read.
using allowed_names = std::unordered_map<std::string, std::string>;

/// The key directory, as used by a coordinator and by `brewery keys`.
class key_directory {
public:
  explicit key_directory(std::filesystem::path path) : path_(std::move(path)) {}

  /// Writes NAME.key and NAME.pub. Allows the key unless it is a coordinator's.
  /// Error ec::already_exists: the name is taken.
  result<allowed_peer> create(const std::string& name, peer_kind role) const;
  /// Allowed and revoked keys, as far as they can be read.
  [[nodiscard]] key_listing list() const;
  /// Who is allowed under this key, or was until it was revoked; nobody for a
  /// key that is on neither list. Files that cannot be read shut out nobody
  /// else: they are an error only for a key that is on neither list as far as
  /// that can be read. A list of
  /// allowed keys that is missing, or names nobody, is an error too: it may be
  /// in the middle of being replaced, or on a disk that is not mounted yet.
  [[nodiscard]] result<std::optional<allowed_peer>>
  find(const std::string& public_key) const;
  /// The same for many keys, in this order, by one reading of the lists.
  /// `names` gets all who are allowed; null: nobody wants them.
  [[nodiscard]] std::vector<result<std::optional<allowed_peer>>>
  find(const std::vector<std::string>& public_keys,
       allowed_names* names = nullptr) const;
  /// Whether allowed/NAME.pub has this key now. Reads no other file.
  [[nodiscard]] std::optional<allowed_peer>
  allowed_as(const std::string& name, const std::string& public_key) const;
  /// Error ec::not_found. The message lists the existing names.
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
