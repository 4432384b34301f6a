#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace gapless {

/// Names that carriers give to the columns of an invoice, and to its last lines.
enum class heading_names
{
    number = 1,
    vague_number,  // ambiguous names of the same
    amount,        // the net amount before the gross one
    charge,        // what a row charges for
    vague_charge,  // the same, but with other carriers the product or a remark
    sign,          // S and H, D and C, + and -, if amounts have no sign
    credit,        // credits, if in a column of their own
    total,         // the start of a line with a total
    tax            // and with a tax
};

/// The position of a heading in the list, the most certain name first; nullopt: not in it. Ignores
/// case, accents, blanks, brackets and a currency: "N° de colis", "Betrag (EUR)".
std::optional<std::size_t> rank_of(heading_names names, std::string_view heading);

/// The same for the first words of a text, at most three: "Summe netto", "zzgl. MwSt 19 %".
std::optional<std::size_t> rank_of_start(heading_names names, std::string_view text);

}  // namespace gapless
