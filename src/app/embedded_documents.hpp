#pragma once

#include <span>
#include <string_view>

/// Files compiled into the program by cmake/EmbedDocuments.cmake.
namespace gapless {

/// openapi.json: the part of the HTTP interface that is written by hand, for programs.
std::string_view embedded_openapi() noexcept;

/// docs/reference/refusals.md: every problem type, and when it is returned.
std::string_view embedded_refusals() noexcept;

/// A file of the folder page.
struct page_file
{
    std::string_view path;  // "index.html", "views/load.js"
    std::string_view text;
};

/// Every file of the page for people, by path.
std::span<page_file const> embedded_page() noexcept;

}  // namespace gapless
