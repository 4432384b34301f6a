#pragma once

#include <string>

namespace gapless {

/// The HTTP interface as an OpenAPI 3.1 document: openapi.json, which describes the hand-written
/// part, with the paths and schemas of all operations. Built at the first call, in some
/// milliseconds; safe from any thread.
std::string const& openapi_document();

}  // namespace gapless
