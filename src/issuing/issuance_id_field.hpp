#pragma once

#include "issuing/issuance_id.hpp"
#include "record/table.hpp"

#include <charconv>
#include <string>
#include <string_view>

/// The ids of issuances as fields of records.
namespace gapless {

template <>
inline constexpr bool is_number<issuance_id> = true;

inline std::string text_of(issuance_id const& id)
{
    std::string text;
    append_issuance_id(text, id);
    return text;
}

/// Reads row(series_id, turn, ordinal): (1,0,1042).
inline bool read_column(std::string_view text, issuance_id& id) noexcept
{
    auto const take = [&](char before, auto& number) {
        if (!text.starts_with(before))
            return false;
        auto const* const end = text.data() + text.size();
        auto const read = std::from_chars(text.data() + 1, end, number);
        text = {read.ptr, end};
        return read.ec == std::errc{};
    };
    return take('(', id.series_id) && take(',', id.turn) && take(',', id.ordinal) && text == ")";
}

}  // namespace gapless
