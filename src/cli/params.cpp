#include "cli/params.hpp"

#include "cli/argument.hpp"
#include "cli/failure.hpp"
#include "record/types.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace gapless::cli {

std::map<std::string, std::string> read_params(std::vector<std::string> const& texts)
{
    std::map<std::string, std::string> params;
    for (auto const& text : texts)
    {
        auto const sign = text.find('=');
        if (sign == 0 || sign == std::string::npos)
            throw usage_error(
                fmt::format("--param: {} is not of the form key=value", to_quoted(text))
            );
        if (!params.emplace(text.substr(0, sign), text.substr(sign + 1)).second)
            throw usage_error(
                fmt::format("--param: {} is given twice", to_quoted(text.substr(0, sign)))
            );
    }
    return params;
}

std::vector<std::string> read_list(std::string_view option, std::vector<std::string> const& texts)
{
    std::vector<std::string> parts;
    for (auto const& text : texts)
    {
        auto const ends = text.empty() ? 1 : text.size();
        for (std::size_t from = 0; from < ends;)
        {
            auto const part = text.substr(from, text.find(',', from) - from);
            if (part.empty())
                throw usage_error(fmt::format("{}: {} has an empty part", option, to_quoted(text)));
            if (std::ranges::find(parts, part) == parts.end())
                parts.push_back(part);
            from += part.size() + 1;
        }
    }
    return parts;
}

std::int32_t read_id(std::string_view name, std::string_view text, std::string_view noun)
{
    constexpr auto bounds = bounds_of<record_id>;
    auto const id = read_integer(text, bounds.least, bounds.most);
    if (id.has_error())
        throw usage_error(
            fmt::format("{}: {}; 'gapless {} list' shows the ids", name, id.error().detail, noun)
        );
    return static_cast<std::int32_t>(*id);
}

}  // namespace gapless::cli
