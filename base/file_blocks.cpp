#include "base/file_blocks.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <memory>
#include <unistd.h>

namespace brewery {

result<std::size_t> read_file_at(const file_descriptor& file,
                                 std::uint64_t offset, char* into,
                                 std::size_t count,
                                 const std::filesystem::path& path) {
  std::size_t done = 0;
  while (done < count) {
    const auto some = ::pread(file.get(), into + done, count - done,
                              static_cast<off_t>(offset + done));
    if (some < 0 && errno == EINTR) continue;
    if (some < 0) return file_error("read", path);
    if (some == 0) break;
    done += static_cast<std::size_t>(some);
  }
  return done;
}

result<std::string> sha256_of_file(const std::filesystem::path& path) {
  const file_descriptor file{
      ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)};
  if (!file) return file_error("open", path);
  const std::unique_ptr<EVP_MD_CTX, void (*)(EVP_MD_CTX*)> state{
      EVP_MD_CTX_new(), EVP_MD_CTX_free};
  BREWERY_ASSERT(EVP_DigestInit_ex(state.get(), EVP_sha256(), nullptr) == 1);
  constexpr std::size_t block_bytes = std::size_t{256} << 10;
  std::string block(block_bytes, '\0');
  for (std::uint64_t offset = 0;;) {
    const auto got =
        read_file_at(file, offset, block.data(), block.size(), path);
    if (!got) return got.error();
    EVP_DigestUpdate(state.get(), block.data(), *got);
    offset += *got;
    if (*got < block.size()) break;
  }
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int length = 0;
  EVP_DigestFinal_ex(state.get(), digest.data(), &length);
  std::string out;
  for (unsigned int i = 0; i < length; ++i)
    out += fmt::format("{:02x}", digest[i]);
  return out;
}

} // namespace brewery
