#include "blocks/block_heading.hpp"

#include "base/field_text.hpp"
#include "base/written_value.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace gapless {

namespace {

using enum block_column;

constexpr std::array<std::string_view, 5> names{
    "first", "last", "count", "reference", "valid_until"};

/// What the columns are called, as to_heading() has it.
constexpr std::array<std::pair<std::string_view, block_column>, 18> headings{
    {{"first", first},
     {"firstnumber", first},
     {"from", first},
     {"erste", first},
     {"erstenummer", first},
     {"von", first},
     {"last", last},
     {"lastnumber", last},
     {"to", last},
     {"letzte", last},
     {"letztenummer", last},
     {"bis", last},
     {"count", count},
     {"anzahl", count},
     {"reference", reference},
     {"referenz", reference},
     {"validuntil", valid_until},
     {"gültigbis", valid_until}}};

}  // namespace

std::string_view name_of(block_column column) noexcept
{
    return names[static_cast<std::size_t>(column)];
}

block_heading read_block_heading(
    csv_row const& row, std::function<void(std::size_t column, std::string what)> const& add
)
{
    block_heading found{.count = row.fields.size()};
    while (found.count > 0 && row.fields[found.count - 1].empty())
        --found.count;
    for (std::size_t n = 0; n < found.count; ++n)
    {
        auto const name = to_heading(row.fields[n]);
        auto const* const known =
            std::ranges::find(headings, name, [](auto const& each) { return each.first; });
        if (known == headings.end())
        {
            add(n + 1,
                fmt::format(
                    "there is no column {}; there are {}",
                    written::to_quoted(row.fields[n]),
                    fmt::join(names, ", ")
                ));
            continue;
        }
        auto& place = found.places[static_cast<std::size_t>(known->second)];
        if (place != block_heading::absent)
            add(n + 1, fmt::format("column {} stands there twice", name_of(known->second)));
        place = n;
    }
    for (auto const required : {first, last})
        if (!found.has(required))
            add(0, fmt::format("the header has no column {}", name_of(required)));
    return found;
}

}  // namespace gapless
