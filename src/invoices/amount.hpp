#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// Amounts of money as carriers write them. Exact: no binary fractions.
namespace gapless {

/// The mark before the cents.
enum class decimal_mark : char
{
    point = '.',
    comma = ','
};

/// An amount, or a sum of some.
struct amount
{
    std::int64_t whole{};       // with the sign
    std::int64_t millionths{};  // with the same sign, below a million
    int decimals{2};            // as many as were written, 2..6

    friend bool operator==(amount const&, amount const&) = default;
};

/// Reads 12,50 and 12.50, 1.234,56, 1 234.5, 1'234.50, with a currency before or after: € $ £ R$ kr
/// zł Kč Fr. Euro eur … or three capital letters. Negative are -3,00, 3,00-, −3,00 (U+2212),
/// (3.00), 3.00 cr and 3,00 H (Haben). Where a mark may stand before decimals or between groups, as
/// in 1.234, `mark` decides; no group begins with 0. Nullopt for anything else, for more than 11
/// digits before the mark, and for more than 6 after it.
std::optional<amount> read_amount(std::string_view text, decimal_mark mark);

/// The decimal mark that a text shows beyond doubt, or nullopt: 12,50 shows a comma, 1.234 nothing.
std::optional<decimal_mark> shown_mark(std::string_view text);

/// Reads a sign that stands alone; true: a credit. Takes + and -, S and H, D and C, and words such
/// as Soll, Haben, debit, crédit, in any case. Nullopt for anything else.
std::optional<bool> read_sign(std::string_view text);

/// The amount as a credit, whichever sign it has.
amount to_credit(amount const& each) noexcept;

/// Adds to a sum. No invoice has enough lines to overflow it.
void add(amount& sum, amount const& each);

/// "1234.50", with as many decimals as the amount has.
std::string to_text(amount const& shown);

}  // namespace gapless
