#include "tests/envs/tau2/vectors.hpp"

#include <catch2/catch.hpp>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iostream>

namespace brewery::test {

namespace {

/// The whole text of a gzip file.
std::string inflate(const std::filesystem::path& path) {
  gzFile in = gzopen(path.c_str(), "rb");
  REQUIRE(in != nullptr);
  std::string text;
  std::array<char, 1 << 16> buffer;
  int count = 0;
  while ((count = gzread(in, buffer.data(), buffer.size())) > 0)
    text.append(buffer.data(), static_cast<std::size_t>(count));
  const int closed = gzclose(in);
  INFO(path.string());
  REQUIRE(count == 0);
  REQUIRE(closed == Z_OK);
  return text;
}

/// Words of the library that checks models; ours are others.
bool library_wording(const std::string& text) {
  return text.find("validation error") != std::string::npos;
}

} // namespace

std::filesystem::path data_root() {
  if (const char* set = std::getenv("BREWERY_TEST_DATA")) return set;
  return std::filesystem::path{BREWERY_SOURCE_DIR} / ".." / "shared" / "data";
}

std::filesystem::path tau2_data() {
  const auto data = data_root() / "tau2-bench";
  if (std::filesystem::is_directory(data)) return data;
  std::cerr << "skipped: no official data in " << data.string()
            << " (set BREWERY_TEST_DATA)\n";
  return {};
}

std::vector<vector_file> read_vectors(const std::filesystem::path& folder) {
  std::vector<vector_file> files;
  if (!std::filesystem::is_directory(folder)) return files;
  const std::string ending = ".jsonl.gz";
  for (const auto& entry : std::filesystem::directory_iterator{folder}) {
    const std::string name = entry.path().filename().string();
    if (name.size() <= ending.size()
        || name.substr(name.size() - ending.size()) != ending)
      continue;
    files.push_back({entry.path(), name.substr(0, name.rfind('_')), {}});
  }
  std::sort(files.begin(), files.end(),
            [](const auto& a, const auto& b) { return a.path < b.path; });
  for (auto& file : files) {
    const std::string text = inflate(file.path);
    for (std::size_t begin = 0, end = 0; begin < text.size(); begin = end + 1) {
      end = std::min(text.find('\n', begin), text.size());
      if (end > begin)
        file.records.push_back(json::parse(text.substr(begin, end - begin)));
    }
  }
  return files;
}

bool texts_agree(const json& recorded, const tool_result& ours) {
  if (recorded.at("error").get<bool>() != ours.failed) return false;
  const auto& text = recorded.at("content").get_ref<const std::string&>();
  return text == ours.content || (ours.failed && library_wording(text));
}

} // namespace brewery::test

using namespace brewery;
using namespace brewery::test;

TEST_CASE("a recorded text is compared exactly unless a library worded it") {
  const json domain = {{"error", true},
                       {"content", "Error: Line L1 not found"}};
  CHECK(texts_agree(domain, {"Error: Line L1 not found", true}));
  CHECK_FALSE(texts_agree(domain, {"Error: Line L1 not found", false}));
  CHECK_FALSE(texts_agree(domain, {"Error: line L1 not found", true}));
  const json library = {{"error", true},
                        {"content", "1 validation error for Payment"}};
  CHECK(texts_agree(library, {"Error: wrong type", true}));
  CHECK_FALSE(texts_agree(library, {"Error: wrong type", false}));
}
