#include "http/accept_field.hpp"

#include "base/text.hpp"

#include <boost/beast/core/string.hpp>

#include <algorithm>

namespace gapless {

namespace {

using boost::beast::iequals;

preference kind_of(std::string_view type) noexcept
{
    return iequals(type, "application/json")    ? preference::json
           : iequals(type, "text/csv")          ? preference::csv
           : iequals(type, "text/event-stream") ? preference::events
                                                : preference::none;
}

/// The weight in thousandths, from parameters like `;q=0.5` (RFC 9110, 12.4.2); 1,000 if it is
/// missing or malformed.
int weight_in(std::string_view parameters) noexcept
{
    while (!parameters.empty())
    {
        parameters.remove_prefix(1);  // the semicolon
        auto const each = trimmed(parameters.substr(0, parameters.find(';')));
        parameters.remove_prefix(std::min(parameters.find(';'), parameters.size()));
        if (each.size() < 3 || !iequals(each.substr(0, 2), "q="))
            continue;
        int weight = each[2] == '0' ? 0 : 1'000;
        int unit = 100;
        for (auto const digit : each.substr(std::min<std::size_t>(4, each.size())))
        {
            if (weight == 1'000 || digit < '0' || digit > '9')
                break;
            weight += (digit - '0') * unit;
            unit /= 10;
        }
        return weight;
    }
    return 1'000;
}

}  // namespace

preference preferred_in(std::string_view accept) noexcept
{
    auto preferred = preference::none;
    bool takes_any = false;  // accepts JSON, too
    int most = 0;
    while (!accept.empty())
    {
        auto const item = accept.substr(0, accept.find(','));
        accept.remove_prefix(std::min(item.size() + 1, accept.size()));
        auto const type = item.substr(0, item.find(';'));
        auto const kind = kind_of(trimmed(type));
        auto const weight = weight_in(item.substr(type.size()));
        takes_any |= weight > 0 && (trimmed(type) == "*/*" || trimmed(type) == "application/*");
        if (kind == preference::events && weight > 0 && most == 0)
            preferred = kind;
        if (kind == preference::none || kind == preference::events || weight <= most)
            continue;
        preferred = kind;
        most = weight;
    }
    return preferred == preference::events && takes_any ? preference::none : preferred;
}

language language_in(std::string_view accept) noexcept
{
    auto wanted = language::english;
    int most = 0;
    while (!accept.empty())
    {
        auto const item = accept.substr(0, accept.find(','));
        accept.remove_prefix(std::min(item.size() + 1, accept.size()));
        auto const range = item.substr(0, item.find(';'));
        auto const tag = trimmed(range);
        auto const name = tag.substr(0, tag.find('-'));
        auto const weight = weight_in(item.substr(range.size()));
        if (weight <= most || (!iequals(name, "de") && !iequals(name, "en")))
            continue;
        wanted = iequals(name, "de") ? language::german : language::english;
        most = weight;
    }
    return wanted;
}

}  // namespace gapless
