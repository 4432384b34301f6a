#include "invoices/amount.hpp"

#include "base/field_text.hpp"
#include "base/text.hpp"
#include "invoices/invoice_headings.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <fmt/format.h>
#include <utility>

namespace gapless {

namespace {

constexpr std::size_t whole_digits_max = 11;
constexpr std::size_t decimals_max = 6;
constexpr std::int64_t million = 1'000'000;

bool is_capital(char c) noexcept
{
    return c >= 'A' && c <= 'Z';
}

bool is_same_letter(char a, char b) noexcept
{
    return a == b || (is_capital(a) && static_cast<char>(a | 0x20) == b);
}

/// Currencies that are not three capital letters; of two with a common end, the longer one first.
constexpr std::array<std::string_view, 20> currencies{
    "€",   "R$",  "US$", "CA$", "C$",  "A$", "$",  "£",  "¥",  "SFr.",
    "Fr.", "fr.", "Fr",  "kr.", "Kr.", "kr", "Kr", "zł", "Kč", "Ft"};

/// And currencies written out, or in small letters.
constexpr std::array<std::string_view, 10> currency_words{
    "euro", "eur", "chf", "usd", "gbp", "pln", "czk", "sek", "nok", "dkk"};

/// And the typographic one (U+2212), the dash that Word makes of a hyphen, and a no-break hyphen.
constexpr std::array<std::string_view, 4> minuses{
    "-", "\xe2\x88\x92", "\xe2\x80\x93", "\xe2\x80\x91"};

/// Words for debit and credit, in German Soll and Haben.
constexpr std::array<std::string_view, 7> credits{"cr", "CR", "Cr", "Haben", "HABEN", "H", "C"};
constexpr std::array<std::string_view, 8> debits{"dr", "DR", "Dr", "Soll", "SOLL", "S", "D", "+"};

bool take_end(std::string& text, std::string_view end, bool in_front)
{
    if (!(in_front ? text.starts_with(end) : text.ends_with(end)))
        return false;
    text.erase(in_front ? 0 : text.size() - end.size(), end.size());
    return true;
}

/// Removes a currency from one end.
bool take_currency(std::string& text, bool in_front)
{
    for (auto const each : currencies)
        if (take_end(text, each, in_front))
            return true;
    for (auto const each : currency_words)
    {
        auto const size = std::min(each.size(), text.size());
        auto const end = text.substr(in_front ? 0 : text.size() - size, size);
        if (std::ranges::equal(end, each, is_same_letter))
            return take_end(text, end, in_front);
    }
    auto const at =
        in_front ? text.begin() : text.end() - std::min<std::ptrdiff_t>(3, std::ssize(text));
    auto const is_code = text.size() > 3 && std::all_of(at, at + 3, is_capital);
    if (is_code)
        text.erase(at, at + 3);
    return is_code;
}

/// Digits and marks of an amount, and what was around them.
struct bare_amount
{
    std::string text;
    bool is_signed{};
    bool is_negative{};
};

/// Removes a sign from one end, also in words; true: negative.
std::optional<bool> take_sign(std::string& text, bool in_front)
{
    for (auto const minus : minuses)
        if (take_end(text, minus, in_front))
            return true;
    if (in_front)
        return take_end(text, "+", true) ? std::optional{false} : std::nullopt;
    // Of three capitals the last ones belong to a currency, like the S in ARS and the DR in IDR.
    auto const letters = text.size() - 1 - text.find_last_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ");
    auto const takes = [&](std::string_view word) {
        auto const is_apart = !is_capital(word.back()) || letters % 3 == word.size() % 3;
        return is_apart && take_end(text, word, false);
    };
    if (std::ranges::any_of(credits, takes))
        return true;
    return std::ranges::any_of(debits, takes) ? std::optional{false} : std::nullopt;
}

/// Accepts currency, sign and brackets in any order, each once: -$3, $-3, ($3), 3€-, 3 kr cr.
std::optional<bare_amount> to_bare_amount(std::string_view field)
{
    bare_amount bare{.text = to_number_text(field)};
    bool has_currency = false;
    for (bool taken = true; taken && !bare.text.empty();)
    {
        taken = false;
        if (bare.text.starts_with('(') && bare.text.ends_with(')') && bare.text.size() > 1)
        {
            if (std::exchange(bare.is_signed, true))
                return std::nullopt;
            bare.text = bare.text.substr(1, bare.text.size() - 2);
            bare.is_negative = taken = true;
        }
        for (auto const in_front : {true, false})
        {
            if (auto const negative = take_sign(bare.text, in_front))
            {
                if (std::exchange(bare.is_signed, true))
                    return std::nullopt;
                bare.is_negative = *negative;
                taken = true;
            }
            if (!has_currency && take_currency(bare.text, in_front))
                has_currency = taken = true;
        }
    }
    if (bare.text.starts_with('.') || bare.text.starts_with(','))
        bare.text.insert(0, 1, '0');  // .50
    return bare;
}

/// The position of the decimal mark; npos: no decimals.
std::size_t find_mark(std::string_view text, std::optional<decimal_mark> doubtful)
{
    auto const last = text.find_last_of(".,");
    if (last == std::string_view::npos)
        return last;
    auto const kind = text[last];
    auto const once = text.find(kind) == last;
    auto const other = text.find(kind == '.' ? ',' : '.') != std::string_view::npos;
    if (!once)
        return std::string_view::npos;  // 1.234.567
    // No group begins with 0, or has four digits.
    if (other || text.size() - last - 1 != 3 || text.front() == '0' || last > 3)
        return last;
    return doubtful == static_cast<decimal_mark>(kind) ? last : std::string_view::npos;
}

}  // namespace

std::optional<amount> read_amount(std::string_view text, decimal_mark mark)
{
    auto const read_as = to_bare_amount(text);
    if (!read_as)
        return std::nullopt;
    auto const& bare = read_as->text;
    auto const at = find_mark(bare, mark);
    auto const decimals = at == std::string::npos ? std::string{} : bare.substr(at + 1);
    auto const whole = bare.substr(0, at);
    auto const digits =
        whole.starts_with('0') ? whole : join_groups(whole, ".,'", 1).value_or(whole);
    if (!all_digits(digits) || at + 1 == bare.size() || digits.size() > whole_digits_max ||
        decimals.size() > decimals_max || !std::ranges::all_of(decimals, is_digit))
        return std::nullopt;
    amount read{.decimals = std::max(2, static_cast<int>(decimals.size()))};
    std::from_chars(digits.data(), digits.data() + digits.size(), read.whole);
    auto const padded = decimals + std::string(decimals_max - decimals.size(), '0');
    std::from_chars(padded.data(), padded.data() + padded.size(), read.millionths);
    if (read_as->is_negative)
        read = {-read.whole, -read.millionths, read.decimals};
    return read;
}

std::optional<decimal_mark> shown_mark(std::string_view text)
{
    auto const bare = to_bare_amount(text);
    if (!bare || bare->text.empty() || !is_digit(bare->text.front()))
        return std::nullopt;
    auto const at = find_mark(bare->text, std::nullopt);
    if (at == std::string::npos)
        return std::nullopt;
    return static_cast<decimal_mark>(bare->text[at]);
}

std::optional<bool> read_sign(std::string_view text)
{
    auto const sign = to_number_text(text);
    if (std::ranges::find(minuses, sign) != minuses.end() ||
        rank_of(heading_names::credit_sign, sign))
        return true;
    if (sign == "+" || rank_of(heading_names::debit_sign, sign))
        return false;
    return std::nullopt;
}

amount to_credit(amount const& each) noexcept
{
    return {-std::abs(each.whole), -std::abs(each.millionths), each.decimals};
}

void add(amount& sum, amount const& each)
{
    sum.whole += each.whole;
    sum.millionths += each.millionths;
    sum.whole += sum.millionths / million;
    sum.millionths %= million;
    if (sum.whole > 0 && sum.millionths < 0)
        sum = {sum.whole - 1, sum.millionths + million, sum.decimals};
    else if (sum.whole < 0 && sum.millionths > 0)
        sum = {sum.whole + 1, sum.millionths - million, sum.decimals};
    sum.decimals = std::max(sum.decimals, each.decimals);
}

std::string to_text(amount const& shown)
{
    auto const decimals = fmt::format("{:06}", std::abs(shown.millionths));
    return fmt::format(
        "{}{}.{}",
        shown.whole < 0 || shown.millionths < 0 ? "-" : "",
        std::abs(shown.whole),
        std::string_view{decimals}.substr(0, static_cast<std::size_t>(shown.decimals))
    );
}

}  // namespace gapless
