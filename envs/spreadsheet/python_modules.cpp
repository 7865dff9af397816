#include "envs/spreadsheet/python_modules.hpp"

#include "base/file.hpp"
#include "base/hash.hpp"

namespace brewery::spreadsheet {

namespace fs = std::filesystem;

result<void> write_python_modules(const fs::path& directory) {
  if (auto ok = make_directories(directory); !ok) return ok;
  for (const auto& module : python_modules()) {
    const auto path = directory / (std::string{module.name} + ".py");
    if (auto ok = write_file_atomically(path, module.text); !ok) return ok;
    std::error_code failed;
    fs::permissions(path,
                    fs::perms::owner_read | fs::perms::group_read
                        | fs::perms::others_read,
                    failed);
    if (failed)
      return error{ec::io, "cannot make " + path.string()
                               + " readable: " + failed.message()};
  }
  return {};
}

std::string python_modules_hash() {
  hash_input all;
  for (const auto& module : python_modules())
    all.add(module.name).add(module.text);
  return all.content();
}

} // namespace brewery::spreadsheet
