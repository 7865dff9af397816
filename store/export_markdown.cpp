#include "store/export_markdown.hpp"

#include "kb/knowledge_base.hpp"
#include "store/files.hpp"
#include "store/folder.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace brewery {

result<void> export_markdown(const std::filesystem::path& dir,
                             const std::vector<std::string>& bodies) {
  const auto digits =
      std::max<std::size_t>(2, std::to_string(bodies.size() - 1).size());
  std::vector<named_file> files;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    files.push_back(
        {fmt::format("{:0{}}-{}.md", i, digits, slug(heading_of(bodies[i]))),
         bodies[i]});
  return replace_folder(dir, files, {});
}

} // namespace brewery
