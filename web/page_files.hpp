#pragma once
/// The files of the page, which `make ui` bundles and the build embeds. A
/// program that was built without them has a page that says how to get them.

#include "base/embedded_text.hpp"
#include "net/http_server.hpp"

#include <string>
#include <vector>

namespace brewery {

/// The files in build/ui at the time of the build; may be none.
const std::vector<embedded_text>& embedded_page();

namespace web {

/// "/" is index.html. Status 404: no such file.
http_response page_file(const std::string& path);

} // namespace web

} // namespace brewery
