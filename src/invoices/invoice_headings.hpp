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
    credit_sign,   // what stands in a column of signs
    debit_sign,    // likewise
    total,         // the start of a line with a total
    tax            // and with a tax
};

/// The position of a heading in the list, the most certain name first; nullopt: not in it. Ignores
/// case, accents, blanks, brackets and a currency: "N° de colis", "Betrag (EUR)".
std::optional<std::size_t> rank_of(heading_names names, std::string_view heading);

/// What follows the first words of a text, at most three, if they are in the list: "Summe netto",
/// "zzgl. MwSt 19 %".
std::optional<std::string_view> rest_behind(heading_names names, std::string_view text);

/// True for the name of a total that only known or short words and numbers follow, such as "Total
/// charges EUR". "Netto Marken-Discount" may be a customer.
bool is_total_alone(std::string_view text);

/// The heading without a number in front of it: "1. Betrag" is "Betrag".
std::string_view without_place(std::string_view heading) noexcept;

}  // namespace gapless
