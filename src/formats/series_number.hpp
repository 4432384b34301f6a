#pragma once

#include "base/text.hpp"
#include "formats/bound_format.hpp"
#include "record/json.hpp"
#include "record/table.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// Numbers in the format of their series as fields of records.
namespace gapless {

/// A number of a series. Rows have its serial; print_numbers() formats it for display.
struct series_number
{
    std::int64_t serial{};
    std::string printed{};
};

template <>
inline constexpr bool is_number<series_number> = true;

inline std::string const& text_of(series_number const& number)
{
    return number.printed;
}

inline bool read_column(std::string_view text, series_number& number) noexcept
{
    auto const serial = read_decimal<std::int64_t>(text);
    number.serial = serial.value_or(0);
    return serial.has_value();
}

/// Prints the numbers of a record, and those of the records in its lists.
template <record Record>
void print_numbers(Record& whole, bound_format const& format)
{
    for_each_field<Record>([&](auto each) {
        using type = typename decltype(each)::type;
        [[maybe_unused]] auto& value = each.of(whole);
        if constexpr (std::same_as<type, series_number>)
            value.printed = format.to_number(value.serial);
        else if constexpr (std::same_as<type, std::optional<series_number>>)
        {
            if (value)
                value->printed = format.to_number(value->serial);
        }
        else if constexpr (is_list_of_records<type>)
            for (auto& item : value)
                print_numbers(item, format);
    });
}

}  // namespace gapless
