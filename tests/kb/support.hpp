#pragma once
/// Folders and documents for tests.

#include "kb/knowledge_base.hpp"
#include "tests/fixtures/text.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <unistd.h>

namespace brewery::test {

namespace fs = std::filesystem;

/// A folder of its own, gone at the end of the scope.
class scratch_folder {
public:
  scratch_folder() {
    std::string name = (fs::temp_directory_path() / "brewery-XXXXXX").string();
    if (mkdtemp(name.data()) != nullptr) path_ = name;
    BREWERY_ASSERT(!path_.empty());
  }
  scratch_folder(const scratch_folder&) = delete;
  scratch_folder& operator=(const scratch_folder&) = delete;
  ~scratch_folder() {
    std::error_code ignored;
    fs::permissions(path_, fs::perms::owner_all, ignored);
    fs::remove_all(path_, ignored);
  }

  fs::path operator/(const std::string& name) const { return path_ / name; }
  const fs::path& path() const { return path_; }

private:
  fs::path path_;
};

inline void put(const fs::path& file, const std::string& bytes) {
  fs::create_directories(file.parent_path());
  std::ofstream{file, std::ios::binary} << bytes;
}

inline std::string get(const fs::path& file) {
  std::ifstream in{file, std::ios::binary};
  return {std::istreambuf_iterator<char>{in}, {}};
}

inline std::size_t count_entries(const fs::path& dir) {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator{dir}, fs::directory_iterator{}));
}

inline std::shared_ptr<const document> doc(std::string body) {
  return std::make_shared<const document>(make_document(std::move(body)));
}

inline knowledge_base make_kb(std::vector<kb_entry> entries) {
  return *knowledge_base::make(std::move(entries));
}

} // namespace brewery::test
