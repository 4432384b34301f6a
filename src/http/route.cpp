#include "http/route.hpp"

#include "base/contract.hpp"

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

/// The part up to the next slash; removes it and the slash.
std::string_view take_segment(std::string_view& path) noexcept
{
    auto const segment = path.substr(0, path.find('/'));
    path.remove_prefix(segment.size());
    return segment;
}

/// A path that there is, where somebody left out /v1, wrote capital letters, or put a slash too
/// many in the middle or at the end. Empty: none is near.
std::string find_near_path(std::span<route const> rows, std::string_view path)
{
    std::string tidy;
    for (char const c : path)
        if (c != '/' || !tidy.ends_with('/'))
            tidy += c;
    if (tidy.size() > 1 && tidy.ends_with('/'))
        tidy.pop_back();
    std::string lower;
    for (char const c : tidy)
        lower += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    for (auto const& near : {tidy, "/v1" + tidy, lower, "/v1" + lower})
        if (std::ranges::any_of(rows, [&](route const& row) {
                path_values values;
                return values.match(row.pattern, near);
            }))
            return near;
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
    auto const near = find_near_path(rows, path);
    return refusal{
        refusal_kind::not_found,
        "No such path" + (near.empty() ? "." : "; there is " + near + '.')};
}

}  // namespace gapless
