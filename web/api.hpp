#pragma once
/// The addresses below /api/ of `brewery ui`, as docs/ui.md lists them. Answers
/// are JSON of at most a megabyte; what cannot be answered is {"error": "one
/// line"} with status 400 (the request is malformed), 404 (there is no such
/// thing), or 500 (a run cannot be read).

#include "net/http_server.hpp"
#include "web/run_shelf.hpp"

namespace brewery::web {

/// What says so.
http_response error_answer(const error& problem);

http_response api_answer(run_shelf& shelf, const http_request& request);

} // namespace brewery::web
