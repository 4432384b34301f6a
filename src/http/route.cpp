#include "http/route.hpp"

#include "base/contract.hpp"

#include <boost/beast/core/string.hpp>
#include <boost/beast/http/verb.hpp>

#include <algorithm>
#include <string>

namespace gapless {

namespace {

namespace http = boost::beast::http;

bool answers(route const& row, http::verb verb) noexcept
{
    return row.verb == verb || (row.verb == http::verb::get && verb == http::verb::head);
}

/// The part before the next slash; removes it and the slash from `path`.
std::string_view take_segment(std::string_view& path) noexcept
{
    auto const segment = path.substr(0, path.find('/'));
    path.remove_prefix(segment.size());
    return segment;
}

/// Whether two parts of a path are equal, ignoring capital letters and what follows a dot, or one
/// is a prefix of the other: barcode.png, serie, numbers.json.
bool resemble(std::string_view found, std::string_view wanted)
{
    constexpr std::size_t characters_min = 4;
    auto const stem = [](std::string_view part) { return part.substr(0, part.find('.')); };
    if (boost::beast::iequals(stem(found), stem(wanted)))
        return true;
    auto const size = std::min(found.size(), wanted.size());
    return (found.size() == wanted.size() || size >= characters_min) &&
           boost::beast::iequals(found.substr(0, size), wanted.substr(0, size));
}

/// The path that a pattern makes with the values in `path`, if their fixed parts resemble each
/// other. Empty: they do not.
std::string resembling_path(std::string_view pattern, std::string_view path)
{
    std::string made;
    while (pattern.starts_with('/') && path.starts_with('/'))
    {
        pattern.remove_prefix(1);
        path.remove_prefix(1);
        auto const wanted = take_segment(pattern);
        auto const found = take_segment(path);
        auto const is_value = wanted.starts_with('{');
        if (found.empty() || (!is_value && !resemble(found, wanted)))
            return {};
        made.append("/").append(is_value ? found : wanted);
    }
    return pattern.empty() && path.empty() ? made : std::string{};
}

/// An existing path for one that lacks /v1, has something in front of it, capital letters, only the
/// beginning of a word, or a slash too many in the middle or at the end. Empty: none is similar.
std::string find_near_path(std::span<route const> rows, http::verb verb, std::string_view path)
{
    std::string tidy;
    for (char const c : path)
        if (c != '/' || !tidy.ends_with('/'))
            tidy += c;
    if (tidy.size() > 1 && tidy.ends_with('/'))
        tidy.pop_back();
    auto const version = tidy.find("/v1/");
    auto const shorter = version == tidy.npos ? std::string{} : tidy.substr(version);
    for (auto const& near : {tidy, "/v1" + tidy, shorter})
        for (auto const& row : rows)
            if (auto const made = resembling_path(row.pattern, near);
                !made.empty() && answers(row, verb))
                return made;
    return {};
}

void append_methods(std::string& allow, http::verb verb)
{
    if (!allow.empty())
        allow += ", ";
    auto const name = http::to_string(verb);
    allow.append(name.data(), name.size());
    if (verb == http::verb::get)
        allow += ", HEAD";
}

}  // namespace

bool path_values::match(std::string_view pattern, std::string_view path)
{
    count_ = 0;
    while (!pattern.empty() && !path.empty())
    {
        if (pattern.front() != '{')
        {
            auto const fixed = pattern.substr(0, pattern.find('{'));
            if (!path.starts_with(fixed))
                return false;
            pattern.remove_prefix(fixed.size());
            path.remove_prefix(fixed.size());
            continue;
        }
        take_segment(pattern);
        auto const value = take_segment(path);
        if (value.empty())
            return false;
        ensure(count_ < parameters_max, "a path has few parameters");
        raw_[count_] = value;
        decoded_[count_].clear();
        ++count_;
    }
    return pattern.empty() && path.empty();
}

result<void> path_values::decode()
{
    for (std::size_t place = 0; place < count_; ++place)
    {
        if (raw_[place].find('%') == std::string_view::npos)
            continue;
        auto decoded = decode_percent(raw_[place]);
        if (decoded.has_error())
            return decoded.error();
        decoded_[place] = std::move(*decoded);
    }
    return {};
}

result<route const*> find_route(
    std::span<route const> rows,
    http::verb verb,
    std::string_view path,
    path_values& values,
    std::string& allow
)
{
    for (auto const& row : rows)
    {
        if (!values.match(row.pattern, path))
            continue;
        if (answers(row, verb))
        {
            if (auto const decoded = values.decode(); decoded.has_error())
                return decoded.error();
            return &row;
        }
        append_methods(allow, row.verb);
    }
    if (!allow.empty())
        return refusal{refusal_kind::method_not_allowed, "This path answers to " + allow + "."};
    auto const near = find_near_path(rows, verb, path);
    return refusal{
        refusal_kind::not_found,
        "No such path; " +
            (!near.empty() ? "there is " + near + '.'
             : path.find("//") != path.npos
                 ? "a part between two slashes is empty, as if a variable was not set."
                 : "GET /openapi.json lists all.")};
}

}  // namespace gapless
