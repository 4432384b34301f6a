#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace gapless {

/// What carriers call the columns of an invoice, and its last lines.
enum class heading_names
{
    number = 1,
    vague_number,  // names of it that others have as well
    amount,        // the net one before the gross one
    charge,        // what a row charges for
    vague_charge,  // the same, where other carriers have the product or a remark
    sign,          // S and H, D and C, + and -, where amounts have none
    credit,        // credits, where they have a column of their own
    total,         // how a line with a total begins
    tax            // and one with a tax
};

/// The place of a heading in the list, the surest name first; none: it is not called so. Case,
/// accents, blanks, brackets and a currency do not count: "N° de colis", "Betrag (EUR)".
std::optional<std::size_t> rank_of(heading_names names, std::string_view heading);

/// The same of the first words of a text, three at most: "Summe netto", "zzgl. MwSt 19 %".
std::optional<std::size_t> rank_of_start(heading_names names, std::string_view text);

}  // namespace gapless
