#include "web/export/exported_screenshots.hpp"

#include "base/file.hpp"
#include "web/screenshot_answer.hpp"

namespace brewery::web {

result<void> exported_screenshots::add(const std::string& hash) {
  if (!seen_.insert(hash).second) return {};
  const auto content = read_screenshot(shelf_, id_, hash);
  if (!content) return {};
  const auto folder = out_ / "screenshots";
  if (auto ok = make_directories(folder); !ok) return ok.error();
  bytes_ += content->size();
  return write_file_atomically(folder / (hash + ".png"), *content);
}

} // namespace brewery::web
