#include "app/document_handlers.hpp"

#include "app/embedded_documents.hpp"
#include "app/metrics.hpp"
#include "app/openapi.hpp"
#include "app/status_service.hpp"
#include "base/contract.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace gapless {

namespace asio = boost::asio;

namespace {

/// Scripts and styles are our own files; no inline script, and nothing from elsewhere, is run.
/// Pictures are barcodes.
constexpr std::string_view page_policy{
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"};

page_file const* find_file(std::string_view path) noexcept
{
    auto const files = embedded_page();
    auto const found = std::ranges::lower_bound(files, path, {}, &page_file::path);
    return found != files.end() && found->path == path ? &*found : nullptr;
}

std::string_view type_of(std::string_view path) noexcept
{
    return path.ends_with(".css")  ? media_type::css
           : path.ends_with(".js") ? media_type::javascript
                                   : media_type::html;
}

/// A piece of Markdown as HTML: handles `code`, and escapes HTML's special characters.
std::string to_html(std::string_view markdown)
{
    std::string html;
    bool in_code = false;
    for (char const c : markdown)
        switch (c)
        {
        case '`':
            html += in_code ? "</code>" : "<code>";
            in_code = !in_code;
            break;
        case '<': html += "&lt;"; break;
        case '>': html += "&gt;"; break;
        case '&': html += "&amp;"; break;
        default: html += c;
        }
    return html;
}

/// The row of a problem type in docs/reference/refusals.md as a page; empty: no such type.
std::string problem_page(std::string_view name)
{
    auto const text = embedded_refusals();
    auto const begin = text.find("\n| `" + std::string{name} + "` |");
    if (name.empty() || begin == std::string_view::npos)
        return {};
    auto row = text.substr(begin + 3);
    row = row.substr(0, row.find('\n'));
    std::array<std::string, 6> cells;
    for (auto& cell : cells)
    {
        auto const size = std::min(row.find(" | "), row.rfind(" |"));
        cell = to_html(row.substr(0, size));
        row.remove_prefix(std::min(size + 3, row.size()));
    }
    auto const& [type, status, state, exit_code, title, when] = cells;
    return "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>" + title +
           "</title>\n<h1>" + title + "</h1>\n<p>" + when + "</p>\n<p>" + type + " · HTTP " +
           status + " · SQLSTATE " + state + " · exit code " + exit_code + "</p>\n</html>\n";
}

void write_file(answer& out, page_file const& file)
{
    out.content_type = type_of(file.path);
    out.body = file.text;
}

}  // namespace

asio::awaitable<result<void>> get_metrics(exchange& current)
{
    auto const& state = current.state;
    current.out.content_type = media_type::metrics;
    current.out.body = to_metrics(
        state.counters,
        current.service<status_service>().figures(),
        state.started,
        std::chrono::system_clock::now()
    );
    co_return result<void>{};
}

asio::awaitable<result<void>> get_openapi(exchange& current)
{
    current.out.body = openapi_document();
    co_return result<void>{};
}

asio::awaitable<result<void>> get_problem(exchange& current)
{
    std::string const name{current.path[0]};
    auto page = problem_page(name);
    if (page.empty())
        co_return refusal{
            refusal_kind::not_found,
            "There is no problem type '" + name + "'; docs/reference/refusals.md lists all."};
    current.out.content_type = media_type::html;
    current.out.content_security_policy = page_policy;
    current.out.body = std::move(page);
    co_return result<void>{};
}

asio::awaitable<result<void>> get_page(exchange& current)
{
    auto const* const page = find_file("index.html");
    ensure(page != nullptr, "the page is compiled into the program");
    current.out.content_security_policy = page_policy;
    write_file(current.out, *page);
    co_return result<void>{};
}

asio::awaitable<result<void>> get_page_file(exchange& current)
{
    std::string path{current.path[0]};
    path.append("/").append(current.path[1]);
    auto const* const file = find_file(path);
    if (!file)
        co_return refusal{refusal_kind::not_found, "The page has no such file."};
    write_file(current.out, *file);
    co_return result<void>{};
}

}  // namespace gapless
