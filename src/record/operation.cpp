#include "record/operation.hpp"

#include <algorithm>

namespace gapless {

std::string fill_in(
    std::string_view text,
    std::function<std::optional<std::string>(std::string_view name)> const& value_of
)
{
    std::string filled;
    while (!text.empty())
    {
        auto const open = text.find('{');
        filled.append(text.substr(0, open));
        text.remove_prefix(std::min(open, text.size()));
        auto const close = text.find('}');
        if (close == text.npos)
            break;
        auto const value = value_of(text.substr(1, close - 1));
        filled.append(value ? std::string_view{*value} : text.substr(0, close + 1));
        text.remove_prefix(close + 1);
    }
    return filled.append(text);
}

}  // namespace gapless
