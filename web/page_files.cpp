#include "web/page_files.hpp"

namespace brewery::web {

namespace {

constexpr const char* without_page =
    R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Brewery</title>
</head>
<body>
<main>
<h1>Brewery</h1>
<p>This program has no page in it: <code>make ui build</code> in its sources
makes one that has (<code>docs/ui.md</code>). What a page would show can be read
as JSON, from <a href="/api/runs">/api/runs</a> on.</p>
</main>
</body>
</html>
)";

struct page_name {
  const char* path;
  const char* name; ///< in `embedded_page`, without its extension
  const char* type;
};

constexpr page_name names[] = {
    {"/", "index", "text/html; charset=utf-8"},
    {"/export.html", "export", "text/html; charset=utf-8"},
    {"/app.js", "app", "text/javascript; charset=utf-8"},
    {"/style.css", "style", "text/css; charset=utf-8"},
    {"/icon.svg", "icon", "image/svg+xml"},
};

} // namespace

http_response page_file(const std::string& path) {
  if (embedded_page().empty() && path == "/")
    return {200, names[0].type, without_page};
  for (const auto& known : names) {
    if (path != known.path) continue;
    for (const auto& file : embedded_page())
      if (file.name == known.name)
        return {200, known.type, std::string{file.text}};
  }
  return {.status = 404, .body = "no such page\n"};
}

} // namespace brewery::web
