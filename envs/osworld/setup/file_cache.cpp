#include "envs/osworld/setup/file_cache.hpp"

#include "base/file.hpp"
#include "base/hash.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "envs/osworld/tasks/task_files.hpp"
#include "process/run_program.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <unistd.h>

namespace brewery::osworld {

namespace {

namespace fs = std::filesystem;

/// The variables that curl needs to find its way.
std::vector<std::pair<std::string, std::string>> download_variables() {
  std::vector<std::pair<std::string, std::string>> out;
  for (const char* name :
       {"PATH", "HOME", "http_proxy", "https_proxy", "all_proxy", "no_proxy",
        "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "SSL_CERT_FILE",
        "SSL_CERT_DIR", "CURL_CA_BUNDLE"})
    if (const char* value = std::getenv(name)) out.emplace_back(name, value);
  return out;
}

error not_fetched(const std::string& from, std::string_view why) {
  return {ec::environment, fmt::format("cannot fetch {}: {}", printable(from),
                                       printable(trim(why)))};
}

/// Removes a file at the end of a scope.
struct temporary_file {
  fs::path path;
  ~temporary_file() {
    std::error_code ignored;
    fs::remove(path, ignored);
  }
};

} // namespace

file_cache::file_cache(file_cache_options options)
    : options_(std::move(options)) {}

fs::path file_cache::place_of(const std::string& address) const {
  // The end of the name is for people who look at the directory.
  auto name = address.substr(0, address.find('?'));
  name = name.substr(name.find_last_of('/') + 1);
  std::string shown;
  for (const char c : name.substr(0, 80))
    shown += std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.'
                     || c == '-' || c == '_'
                 ? c
                 : '_';
  return options_.directory / (content_hash(address) + "_" + shown);
}

std::string file_cache::source_of(const std::string& address) const {
  if (options_.mirror.empty() || !address.starts_with(official_files))
    return address;
  auto rest = address.substr(official_files.size());
  if (!is_remote(options_.mirror)) rest = rest.substr(0, rest.find('?'));
  return options_.mirror + (options_.mirror.ends_with('/') ? "" : "/") + rest;
}

bool file_cache::is_here(const std::string& address) const {
  std::error_code ignored;
  return !is_remote(address) || fs::exists(place_of(address), ignored);
}

result<std::string> file_cache::bytes(const std::string& address) const {
  if (!is_remote(address)) {
    const auto place = local_file(options_.data, address);
    return place ? read_file(*place) : place.error();
  }
  const auto place = place_of(address);
  const auto sum_file = fs::path{place.string() + ".sha256"};
  const auto sum = read_file(sum_file);
  auto there = read_file(place);
  if (there && sum && sum->starts_with(sha256_hex(*there))) return there;
  auto fetched = fetch(address);
  if (!fetched) return fetched;
  const auto fresh = sha256_hex(*fetched);
  if (sum && !sum->starts_with(fresh))
    return error{ec::corrupt,
                 fmt::format("{} has changed: its SHA-256 was {} and is {}; "
                             "remove {} to accept it",
                             printable(address), sum->substr(0, 64), fresh,
                             sum_file.string())};
  if (auto ok = make_directories(options_.directory); !ok) return ok.error();
  if (auto ok = write_file_atomically(place, *fetched); !ok) return ok.error();
  const auto line = fmt::format("{}  {}\n", fresh, place.filename().string());
  if (auto ok = write_file_atomically(sum_file, line); !ok) return ok.error();
  return fetched;
}

result<std::string> file_cache::fetch(const std::string& address) const {
  const auto from = source_of(address);
  if (is_remote(from)) return download(from, address);
  // The rest of an address is a task's, and may have ".." in it: read is what
  // was looked at, whatever links there are in the mirror.
  const auto plain = fs::path{from}.lexically_normal();
  const auto below =
      plain.lexically_relative(fs::path{options_.mirror}.lexically_normal());
  if (below.empty() || *below.begin() == "..")
    return not_fetched(address, "it is outside of the mirror (option "
                                "environment.osworld.mirror)");
  auto copied = read_file(plain);
  if (!copied) return not_fetched(address, copied.error().message);
  return copied;
}

namespace {

/// Curl's own limit does not hold for a reply that does not say its length.
constexpr std::size_t ulimit_block_bytes = 512;

/// For curl's configuration, which others cannot read as they can its
/// arguments: a mirror's address may have a password in it.
std::string curl_quoted(std::string_view text) {
  std::string out{'"'};
  for (const char c : text) {
    if (c == '\n') {
      out += "\\n";
      continue;
    }
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

} // namespace

/// By curl, which knows proxies, redirections and certificates.
result<std::string> file_cache::download(const std::string& from,
                                         const std::string& address) const {
  if (auto ok = make_directories(options_.directory); !ok) return ok.error();
  auto pattern = (options_.directory / "download.XXXXXX").string();
  const int made = ::mkstemp(pattern.data());
  if (made < 0) return file_error("create", pattern);
  const file_descriptor closing{made};
  const temporary_file target{pattern};
  const auto seconds =
      std::chrono::duration_cast<std::chrono::seconds>(options_.deadline)
          .count();
  child::child_command command;
  command.words = {"/bin/sh",
                   "-c",
                   "ulimit -f \"$0\"; exec curl \"$@\"",
                   std::to_string(file_bytes_most / ulimit_block_bytes),
                   "--fail",
                   "--location",
                   "--silent",
                   "--show-error",
                   "--proto",
                   "=http,https",
                   "--max-filesize",
                   std::to_string(file_bytes_most),
                   "--retry",
                   "2",
                   "--connect-timeout",
                   "30",
                   "--max-time",
                   std::to_string(seconds),
                   "--output",
                   pattern,
                   "--config",
                   "-"};
  command.variables = download_variables();
  const auto run = child::run_program(
      command, "url = " + curl_quoted(from) + '\n',
      {.deadline = options_.deadline + std::chrono::seconds{90}});
  if (!run) return not_fetched(address, run.error().message);
  std::error_code ignored;
  if (fs::file_size(target.path, ignored) >= file_bytes_most)
    return not_fetched(address,
                       fmt::format("it has {} bytes or more", file_bytes_most));
  if (!run->succeeded())
    return not_fetched(address, run->errors.empty() ? run->ending + " (curl)"
                                                    : run->errors);
  return read_file(target.path);
}

} // namespace brewery::osworld
