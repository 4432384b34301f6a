#include "formats/missing_format.hpp"

#include "base/text.hpp"
#include "base/written_value.hpp"
#include "formats/catalogue.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <vector>

namespace gapless {

namespace {

constexpr std::size_t told_max = 3;
constexpr std::size_t name_characters_max = 63;

/// How similar two names are; the first value is the nearest.
enum class nearness
{
    spelling = 1,  // DPD_15 for dpd-15
    beginning,     // dpd
    piece,         // sscc for gs1-sscc
    typing,        // dpd-51, dhl-packet-20
    far
};

/// Lower case, with dashes for blanks and underscores.
std::string to_plain(std::string_view name)
{
    auto plain = to_lower(name);
    std::ranges::replace(plain, '_', '-');
    std::ranges::replace(plain, ' ', '-');
    return plain;
}

/// How many characters must be added, removed or changed to turn one into the other.
std::size_t distance(std::string_view a, std::string_view b)
{
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t n = 0; n < a.size(); ++n)
    {
        auto diagonal = row[0];
        row[0] = n + 1;
        for (std::size_t m = 0; m < b.size(); ++m)
        {
            auto const changed = diagonal + (a[n] == b[m] ? 0 : 1);
            diagonal = row[m + 1];
            row[m + 1] = std::min({changed, row[m + 1] + 1, row[m] + 1});
        }
    }
    return row.back();
}

nearness compare(std::string_view wanted, std::string_view name)
{
    constexpr std::size_t letters_min = 2;
    if (wanted == name)
        return nearness::spelling;
    if (wanted.size() < letters_min)
        return nearness::far;
    if (name.starts_with(wanted))
        return nearness::beginning;
    if (name.find('-' + std::string{wanted}) != std::string_view::npos)
        return nearness::piece;
    return distance(wanted, name) <= wanted.size() / 5 + 1 ? nearness::typing : nearness::far;
}

/// The nearest of the names, in their order.
std::vector<std::string> find_near(std::string const& wanted, std::vector<std::string> const& names)
{
    auto best = nearness::far;
    std::vector<std::string> near;
    for (auto const& name : names)
    {
        auto const found = compare(wanted, name);
        if (found < best)
            near.clear();
        best = std::min(best, found);
        if (found == best && best != nearness::far && std::ranges::find(near, name) == near.end())
            near.push_back(name);
    }
    near.resize(std::min(near.size(), told_max));
    return near;
}

/// "a, b or c"
std::string to_choice(std::vector<std::string> const& names)
{
    std::string text;
    for (std::size_t n = 0; n < names.size(); ++n)
        text += (n == 0 ? "" : n + 1 == names.size() ? " or " : ", ") + names[n];
    return text;
}

}  // namespace

std::string missing_format(std::string_view name, std::span<number_declaration const> more)
{
    std::vector<std::string> names;
    for (auto const& row : catalogue())
        names.emplace_back(row.name);
    for (auto const& own : more)
        names.push_back(own.name);
    auto const near = name.size() > name_characters_max ? std::vector<std::string>{}
                                                        : find_near(to_plain(name), names);
    return fmt::format(
        "there is no format {}; {}",
        written::to_quoted(name),
        near.empty() ? "see: gapless format list" : "did you mean " + to_choice(near) + "?"
    );
}

}  // namespace gapless
