#include "record/principal.hpp"

#include <algorithm>

namespace gapless {

std::optional<scope> read_scope(std::string_view name) noexcept
{
    for (auto const each : {scope::issue, scope::read, scope::load, scope::admin})
        if (name_of(each) == name)
            return each;
    return std::nullopt;
}

std::string_view name_of(scope each) noexcept
{
    switch (each)
    {
    case scope::issue: return "issue";
    case scope::read: return "read";
    case scope::load: return "load";
    case scope::admin: return "admin";
    }
    return {};
}

bool principal::sees(std::string_view name_of_series) const noexcept
{
    return !series || std::ranges::find(*series, name_of_series) != series->end();
}

}  // namespace gapless
