#pragma once

#include <string_view>

/// Files compiled into the program by cmake/EmbedDocuments.cmake.
namespace gapless {

/// openapi.json: the HTTP interface in words for programs.
std::string_view embedded_openapi() noexcept;

/// dashboard.html: one page with everything it needs.
std::string_view embedded_dashboard() noexcept;

}  // namespace gapless
