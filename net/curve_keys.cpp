#include "net/curve_keys.hpp"

#include "base/file.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "messages/wire/format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <sys/stat.h>
#include <zmq.h>

namespace brewery {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t z85_length = 40;

bool is_key(std::string_view text) {
  std::array<std::uint8_t, 32> bytes{};
  // A NUL would end the text for libzmq, and the shorter text may decode too.
  return text.size() == z85_length && text.find('\0') == std::string_view::npos
         && zmq_z85_decode(bytes.data(), std::string{text}.c_str());
}

error not_a_key(const fs::path& file, std::string_view line) {
  return {
      ec::malformed,
      fmt::format("{}: '{}' is not a key: expected {} characters in Z85, as "
                  "`brewery keys new` writes them",
                  file.string(), ascii_line(line, 40), z85_length)};
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> out;
  std::size_t at = 0;
  while (at < text.size()) {
    const auto end = std::min(text.find('\n', at), text.size());
    const auto line = trim(std::string_view{text}.substr(at, end - at));
    if (!line.empty() && line.front() != '#') out.emplace_back(line);
    at = end + 1;
  }
  return out;
}

result<void> check_name(const std::string& name) {
  const bool good = !name.empty() && name.front() != '.' && name.front() != '-'
                    && std::all_of(name.begin(), name.end(), [](char c) {
                         return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
                                || (c >= '0' && c <= '9') || c == '.'
                                || c == '-' || c == '_';
                       });
  if (good) return {};
  return error{ec::invalid_argument,
               fmt::format("'{}' cannot name a key: letters, digits, dots, "
                           "dashes and underscores can",
                           name)};
}

result<void> write_private(const fs::path& file, const std::string& text) {
  const auto before = ::umask(0077);
  auto written = write_file_atomically(file, text);
  ::umask(before);
  if (!written) return written;
  if (::chmod(file.c_str(), S_IRUSR | S_IWUSR) != 0)
    return file_error("protect", file);
  return {};
}

/// Error ec::not_found: there is no such folder.
result<std::vector<fs::path>> public_files(const fs::path& folder) {
  std::vector<fs::path> out;
  std::error_code failed;
  fs::directory_iterator it{folder, failed};
  for (; !failed && it != fs::directory_iterator{}; it.increment(failed))
    if (it->path().extension() == ".pub") out.push_back(it->path());
  if (failed)
    return error{
        failed == std::errc::no_such_file_or_directory ? ec::not_found : ec::io,
        fmt::format("cannot read {}: {}", folder.string(), failed.message())};
  return out;
}

result<void> read_peers(const fs::path& file, bool revoked,
                        std::vector<allowed_peer>& out) {
  const auto text = read_file(file);
  // Revoked meanwhile.
  if (!text && text.error().code == ec::not_found) return {};
  if (!text) return text.error();
  for (const auto& line : lines_of(*text)) {
    const auto space = line.find(' ');
    if (space == std::string::npos) return not_a_key(file, line);
    const auto role = parse_peer_kind(line.substr(0, space));
    if (!role)
      return error{ec::malformed, file.string() + ": " + role.error().message};
    const auto key = std::string{trim(line.substr(space + 1))};
    if (!is_key(key)) return not_a_key(file, key);
    out.push_back({file.stem().string(), *role, key, revoked});
  }
  return {};
}

/// Error ec::not_found among the unread: there is no such folder.
void read_list(const fs::path& folder, bool revoked, key_listing& out) {
  const auto files = public_files(folder);
  if (!files) return out.unread.push_back(files.error());
  for (const auto& file : *files)
    if (auto ok = read_peers(file, revoked, out.peers); !ok)
      out.unread.push_back(ok.error());
}

} // namespace

std::string_view to_string(peer_kind role) {
  switch (role) {
  case peer_kind::worker:
    return "worker";
  case peer_kind::operator_:
    return "operator";
  case peer_kind::coordinator:
    return "coordinator";
  }
  return "";
}

result<peer_kind> parse_peer_kind(std::string_view text) {
  for (const auto role :
       {peer_kind::worker, peer_kind::operator_, peer_kind::coordinator})
    if (text == to_string(role)) return role;
  return error{
      ec::invalid_argument,
      fmt::format("'{}' is not a role: use worker, operator or coordinator",
                  ascii_line(text, 40))};
}

curve_pair make_curve_pair() {
  std::array<char, z85_length + 1> open{}, secret{};
  const auto done = zmq_curve_keypair(open.data(), secret.data());
  BREWERY_ASSERT(done == 0); // fails only if libzmq has no CURVE
  return {open.data(), secret.data()};
}

result<curve_pair> read_key_file(const fs::path& file) {
  const auto text = read_private_file(file);
  if (!text) return text.error();
  curve_pair out;
  for (const auto& line : lines_of(*text)) {
    if (line.starts_with("public ")) out.public_key = trim(line.substr(7));
    if (line.starts_with("secret ")) out.secret_key = trim(line.substr(7));
  }
  // Error messages never contain the secret key.
  if (!is_key(out.public_key) || !is_key(out.secret_key))
    return error{ec::malformed,
                 fmt::format("{} is not a key file of `brewery keys new`",
                             file.string())};
  return out;
}

result<std::vector<std::string>> read_public_keys(const fs::path& file) {
  const auto text = read_file(file);
  if (!text) return text.error();
  std::vector<std::string> out;
  for (auto line : lines_of(*text)) {
    if (const auto space = line.find(' '); space != std::string::npos)
      line = trim(line.substr(space + 1));
    if (!is_key(line)) return not_a_key(file, line);
    out.push_back(std::move(line));
  }
  if (out.empty())
    return error{ec::malformed, file.string() + " contains no key"};
  return out;
}

result<allowed_peer> key_directory::create(const std::string& name,
                                           peer_kind role) const {
  if (auto ok = check_name(name); !ok) return ok.error();
  if (auto ok = make_directories(path_ / "allowed"); !ok) return ok.error();
  std::error_code ignored;
  if (fs::exists(key_file(name), ignored)) {
    if (!fs::exists(path_ / "revoked" / (name + ".pub"), ignored)
        || fs::exists(path_ / "allowed" / (name + ".pub"), ignored))
      return error{ec::already_exists,
                   fmt::format("{} exists; choose another name, or revoke it "
                               "first",
                               key_file(name).string())};
    // Nobody may connect with it any more.
    fs::remove(key_file(name), ignored);
  }
  const auto pair = make_curve_pair();
  if (auto ok = write_private(
          key_file(name),
          fmt::format("# Secret: whoever has it is {} '{}'.\npublic {}\nsecret "
                      "{}\n",
                      to_string(role), name, pair.public_key, pair.secret_key));
      !ok)
    return ok.error();
  const auto open = fmt::format("{} {}\n", to_string(role), pair.public_key);
  auto ok = write_file_atomically(public_file(name), open);
  if (ok && role != peer_kind::coordinator)
    ok = write_file_atomically(path_ / "allowed" / (name + ".pub"), open);
  if (!ok) {
    // Half a key keeps its name from everyone.
    fs::remove(key_file(name), ignored);
    fs::remove(public_file(name), ignored);
    return ok.error();
  }
  return allowed_peer{name, role, pair.public_key, false};
}

key_listing key_directory::list() const {
  key_listing out;
  read_list(path_ / "allowed", false, out);
  read_list(path_ / "revoked", true, out);
  std::erase_if(out.unread,
                [](const auto& why) { return why.code == ec::not_found; });
  std::sort(out.peers.begin(), out.peers.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  return out;
}

namespace {

/// The keys of one list, as far as its files can be read.
struct key_list {
  std::unordered_map<std::string, allowed_peer> peers; ///< by public key
  std::vector<error> unread;                           ///< why some could not

  key_list(const fs::path& folder, bool revoked) {
    key_listing read;
    read_list(folder, revoked, read);
    for (auto& peer : read.peers)
      peers.try_emplace(peer.public_key, std::move(peer));
    unread = std::move(read.unread);
  }
  [[nodiscard]] std::optional<allowed_peer>
  find(const std::string& public_key) const {
    const auto it = peers.find(public_key);
    return it == peers.end() ? std::nullopt : std::optional{it->second};
  }
};

} // namespace

result<std::optional<allowed_peer>>
key_directory::find(const std::string& public_key) const {
  return find(std::vector{public_key}).front();
}

std::vector<result<std::optional<allowed_peer>>>
key_directory::find(const std::vector<std::string>& public_keys,
                    allowed_names* names) const {
  const key_list allowed{path_ / "allowed", false};
  if (names) {
    names->clear();
    for (const auto& [key, peer] : allowed.peers)
      names->emplace(key, peer.name);
  }
  std::optional<key_list> revoked; // read when it is needed
  const auto found =
      [&](const std::string& key) -> result<std::optional<allowed_peer>> {
    if (auto peer = allowed.find(key)) return peer;
    // First: no file among the allowed keeps a key that was revoked.
    if (!revoked) revoked.emplace(path_ / "revoked", true);
    if (auto peer = revoked->find(key)) return peer;
    if (!allowed.unread.empty()) return allowed.unread.back();
    if (!revoked->unread.empty()
        && revoked->unread.back().code != ec::not_found)
      return revoked->unread.back();
    if (allowed.peers.empty())
      return error{ec::not_found, fmt::format("{} names no key",
                                              (path_ / "allowed").string())};
    return std::optional<allowed_peer>{};
  };
  std::vector<result<std::optional<allowed_peer>>> out;
  out.reserve(public_keys.size());
  for (const auto& key : public_keys)
    out.push_back(found(key));
  return out;
}

std::optional<allowed_peer>
key_directory::allowed_as(const std::string& name,
                          const std::string& public_key) const {
  std::vector<allowed_peer> peers;
  // What stands before a broken line counts, as in the whole list.
  (void)read_peers(path_ / "allowed" / (name + ".pub"), false, peers);
  const auto it =
      std::ranges::find(peers, public_key, &allowed_peer::public_key);
  return it == peers.end() ? std::nullopt : std::optional{*it};
}

result<void> key_directory::revoke(const std::string& name) const {
  if (auto ok = check_name(name); !ok) return ok;
  const auto from = path_ / "allowed" / (name + ".pub");
  std::error_code failed;
  if (!fs::exists(from, failed)) {
    std::vector<std::string> names;
    for (const auto& peer : list().peers)
      if (!peer.revoked) names.push_back(peer.name);
    return error{ec::not_found,
                 fmt::format("no key '{}' is allowed in {}; allowed: {}", name,
                             path_.string(),
                             names.empty() ? "none" : join(names, ", "))};
  }
  if (auto ok = make_directories(path_ / "revoked"); !ok) return ok;
  const auto key = read_file(from);
  if (!key) return key.error();
  // Earlier keys of the name stay on record.
  const auto record = path_ / "revoked" / (name + ".pub");
  std::string all;
  if (fs::exists(record, failed)) {
    auto before = read_file(record);
    if (!before) return before.error();
    all = std::move(*before);
  }
  if (auto ok = write_file_atomically(record, all + *key); !ok) return ok;
  fs::remove(from, failed);
  if (failed) return error{ec::io, "cannot revoke: " + failed.message()};
  return sync_directory(path_ / "allowed");
}

} // namespace brewery
