#include "invoices/amount.hpp"

#include "base/field_text.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fmt/format.h>

namespace gapless {

namespace {

constexpr std::size_t whole_digits_max = 11;
constexpr std::size_t decimals_max = 6;
constexpr std::int64_t million = 1'000'000;

bool is_capital(char c) noexcept
{
    return c >= 'A' && c <= 'Z';
}

/// Takes a currency from either end.
void drop_currency(std::string& text)
{
    constexpr std::string_view euro{"€"};
    if (text.starts_with(euro))
        text.erase(0, euro.size());
    else if (text.ends_with(euro))
        text.resize(text.size() - euro.size());
    else if (text.size() > 3 && std::all_of(text.begin(), text.begin() + 3, is_capital))
        text.erase(0, 3);
    else if (text.size() > 3 && std::all_of(text.end() - 3, text.end(), is_capital))
        text.resize(text.size() - 3);
}

/// Digits and marks without blanks, currency and sign; true for a negative one.
bool take_sign(std::string& text)
{
    auto const before = text.starts_with('-');
    auto const behind = !before && text.ends_with('-');
    if (before || text.starts_with('+'))
        text.erase(0, 1);
    if (behind)
        text.pop_back();
    return before || behind;
}

/// Where the decimals begin: behind which mark; npos: there are none.
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
    if (other || text.size() - last - 1 != 3)
        return last;
    return doubtful == static_cast<decimal_mark>(kind) ? last : std::string_view::npos;
}

std::string to_bare_amount(std::string_view text)
{
    auto bare = to_number_text(text);
    drop_currency(bare);
    return bare;
}

}  // namespace

std::optional<amount> read_amount(std::string_view text, decimal_mark mark)
{
    auto bare = to_bare_amount(text);
    auto const negative = take_sign(bare);
    auto const at = find_mark(bare, mark);
    auto const decimals = at == std::string::npos ? std::string{} : bare.substr(at + 1);
    auto const whole = bare.substr(0, at);
    auto const digits = join_groups(whole, ".,'", 1).value_or(whole);
    if (!all_digits(digits) || at + 1 == bare.size() || digits.size() > whole_digits_max ||
        decimals.size() > decimals_max || !std::ranges::all_of(decimals, is_digit))
        return std::nullopt;
    amount read{.decimals = std::max(2, static_cast<int>(decimals.size()))};
    std::from_chars(digits.data(), digits.data() + digits.size(), read.whole);
    auto const padded = decimals + std::string(decimals_max - decimals.size(), '0');
    std::from_chars(padded.data(), padded.data() + padded.size(), read.millionths);
    if (negative)
        read = {-read.whole, -read.millionths, read.decimals};
    return read;
}

std::optional<decimal_mark> shown_mark(std::string_view text)
{
    auto bare = to_bare_amount(text);
    take_sign(bare);
    auto const at = find_mark(bare, std::nullopt);
    if (at == std::string::npos || bare.empty() || !is_digit(bare.front()))
        return std::nullopt;
    return static_cast<decimal_mark>(bare[at]);
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
