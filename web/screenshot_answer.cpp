#include "web/screenshot_answer.hpp"

#include "base/file.hpp"
#include "report/arm_rollouts.hpp"
#include "web/api.hpp"
#include "web/query.hpp"

namespace brewery::web {

namespace {

constexpr std::uintmax_t screenshot_bytes_most = std::uintmax_t{32} << 20;
constexpr std::size_t hash_digits = 32; // of content_hash
constexpr std::string_view png_start = "\x89PNG\r\n\x1a\n";

bool is_hash(const std::string& text) {
  return text.size() == hash_digits
         && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

} // namespace

result<std::string> read_screenshot(run_shelf& shelf, const std::string& id,
                                    const std::string& hash) {
  if (!is_hash(hash))
    return error{ec::not_found, "a screenshot's name is 32 hex digits"};
  const auto run = shelf.find(id);
  if (!run) return run.error();
  const auto options = options_of(*run);
  if (!options) return options.error();
  const auto& directory = options->environment.osworld.screenshots;
  if (directory.empty())
    return error{ec::not_found, "the run kept no screenshots "
                                "(environment.osworld.screenshots)"};
  const auto file = std::filesystem::path{directory} / (hash + ".png");
  std::error_code failed;
  const auto bytes = std::filesystem::file_size(file, failed);
  if (failed || bytes > screenshot_bytes_most)
    return error{ec::not_found, "this machine does not have the screenshot"};
  auto content = read_file(file);
  if (!content || !content->starts_with(png_start))
    return error{ec::not_found, "this machine does not have the screenshot"};
  return content;
}

std::optional<http_response> screenshot_answer(run_shelf& shelf,
                                               const http_request& request) {
  const auto parts = path_parts(request.path);
  if (!parts || parts->size() != 5 || (*parts)[0] != "api"
      || (*parts)[1] != "runs" || (*parts)[3] != "screenshots")
    return {};
  auto content = read_screenshot(shelf, (*parts)[2], (*parts)[4]);
  if (!content) return error_answer(content.error());
  return http_response{200, "image/png", std::move(*content)};
}

} // namespace brewery::web
