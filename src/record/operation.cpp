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

operation const* find_read(feature const& of, operation const& other) noexcept
{
    auto const is_known = [&](input_field const& field) {
        return std::ranges::any_of(other.input->fields, [&](input_field const& each) {
            return each.name == field.name;
        });
    };
    auto const found = std::ranges::find_if(of.operations, [&](operation const& each) {
        return !each.changes && !each.answer->is_list && !each.asks_series &&
               !each.input->fields.empty() && std::ranges::all_of(each.input->fields, is_known);
    });
    return found == of.operations.end() ? nullptr : &*found;
}

}  // namespace gapless
