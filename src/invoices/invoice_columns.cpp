#include "invoices/invoice_columns.hpp"

#include "base/field_text.hpp"
#include "base/text.hpp"
#include "base/written_value.hpp"
#include "invoices/invoice_headings.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <span>
#include <tuple>
#include <utility>

namespace gapless {

namespace {

/// The indexes of the columns that have one of the names, the most certain name first.
std::vector<std::size_t> find_named(csv_row const& row, heading_names names)
{
    std::vector<std::pair<std::size_t, std::size_t>> found;
    for (std::size_t n = 0; n < row.fields.size(); ++n)
        if (auto const rank = rank_of(names, row.fields[n]))
            found.emplace_back(*rank, n);
    std::ranges::sort(found);
    std::vector<std::size_t> places(found.size());
    std::ranges::transform(found, places.begin(), [](auto const& each) { return each.second; });
    return places;
}

bool has_digit(std::string_view text) noexcept
{
    return text.find_first_of("0123456789") != std::string_view::npos;
}

/// True for a row below the heading: its product may be named "Paket".
bool has_values(csv_row const& row)
{
    return std::ranges::any_of(row.fields, [](auto const& field) {
        return has_digit(without_place(field).substr(0, 1));
    });
}

std::ptrdiff_t count_filled(csv_row const& row)
{
    return std::ranges::count_if(row.fields, [](auto const& field) { return !field.empty(); });
}

/// True for prose below or between the parcel numbers: "Please pay by 12/15".
bool is_sentence(std::string_view text)
{
    constexpr std::ptrdiff_t letters_min = 10;  // 1Z 999 AA1 01 2345 6784 has three
    auto const letters = std::ranges::count_if(text, is_letter);
    return text.find(' ') != text.npos &&
           (letters >= letters_min || letters > std::ranges::count_if(text, is_digit));
}

/// For comparing headings: lower case, no blanks.
std::string fold(std::string_view text)
{
    return to_lower(to_number_text(text));
}

/// Rejoins a heading whose names contain the separator in brackets, such as Betrag (EUR, netto),
/// and which therefore has more fields than the rows below it.
csv_row mend_heading(csv_row const& row, std::size_t width)
{
    if (row.fields.size() <= width)
        return row;
    csv_row mended{.line = row.line};
    std::ptrdiff_t open = 0;
    for (auto const& field : row.fields)
    {
        if (open > 0)
            mended.fields.back() += ", " + field;
        else
            mended.fields.push_back(field);
        open += std::ranges::count(field, '(') - std::ranges::count(field, ')');
    }
    return mended.fields.size() <= width ? mended : row;
}

/// Sorts hashes and removes duplicates.
void keep_different(std::vector<std::size_t>& hashes)
{
    std::ranges::sort(hashes);
    auto const doubles = std::ranges::unique(hashes);
    hashes.erase(doubles.begin(), doubles.end());
}

/// A column that may contain the numbers.
struct candidate
{
    std::size_t place{};
    int certainty{};                     // of its name: 2 sure, 1 vague, 0 none
    std::size_t rank{};                  // of its name
    std::vector<std::size_t> numbers;    // hashes of numbers of the series; later distinct ones
    std::vector<std::size_t> in_blocks;  // of these
    std::string example;
    std::size_t rows{};  // a hash of all its numbers
};

/// Finds the columns of an invoice.
class column_finder
{
public:
    column_finder(invoice_rows const& rows, number_judge const& judge, decimal_mark usual)
        : rows_{rows},
          sample_{rows.sample},
          judge_{judge},
          usual_{usual}
    {
    }

    std::optional<std::string> find(wanted_columns const& wanted, invoice_columns& found)
    {
        find_heading();
        if (wanted.number)
            find_wanted(*wanted.number, found.number);
        else
            find_number(found.number);
        if (fault_)
            return fault_;
        find_heading_above(found.number);
        found.heading = heading_;
        found.name = name_of(found.number);
        if (wanted.amount)
        {
            std::size_t place = 0;
            find_wanted(*wanted.amount, place);
            if (!fault_ && place == found.number)
                fault_ =
                    fmt::format("the column {} has the numbers, not the amounts", name_of(place));
            found.amount = place;
        }
        else
            find_amount(found);
        if (fault_)
            return fault_;
        name_rest(found);
        return std::nullopt;
    }

private:
    number_fit fit_of(std::string const& field) const { return judge_(to_number_text(field)); }

    bool has_number(csv_row const& row) const
    {
        return std::ranges::any_of(row.fields, [&](auto const& field) {
            return !field.empty() && fit_of(field) != number_fit::none;
        });
    }

    std::string name_of(std::size_t place) const
    {
        auto const& name = field_of(heading_, place);
        return name.empty() ? std::to_string(place + 1) : name;
    }

    void take_heading(csv_row const& row)
    {
        std::size_t width = 0;
        for (auto const& each : sample_)
            if (each.line > row.line)
                width = std::max(width, each.fields.size());
        heading_ = mend_heading(row, width);
    }

    /// The row with a known name for the numbers; of several, since a title may contain one, the
    /// row with more fields. Never below the first number.
    void find_heading()
    {
        csv_row const* best = nullptr;
        for (auto const& row : first_rows())
        {
            if (has_number(row))
                break;
            auto const is_named = std::ranges::any_of(row.fields, [](auto const& field) {
                return rank_of(heading_names::number, field) ||
                       rank_of(heading_names::vague_number, field);
            });
            if (is_named && !has_values(row) &&
                (best == nullptr || count_filled(row) > count_filled(*best)))
                best = &row;
        }
        if (best != nullptr)
            take_heading(*best);
    }

    /// Finds a column given by its index from 1 or by its heading.
    void find_wanted(std::string const& wanted, std::size_t& place)
    {
        if (all_digits(wanted))
        {
            place = read_decimal<std::size_t>(wanted).value_or(0);
            if (place == 0 || place > width())
                return tell_unknown(wanted);
            --place;
            return;
        }
        std::vector<std::size_t> found;
        auto const look = [&](csv_row const& row) {
            for (std::size_t n = 0; n < row.fields.size(); ++n)
                if (!row.fields[n].empty() && fold(row.fields[n]) == fold(wanted))
                    found.push_back(n);
        };
        look(heading_);
        for (auto const& row : first_rows())
        {
            if (heading_.line != 0 || has_number(row))
                break;
            look(row);
            if (!found.empty())
                take_heading(row);
        }
        if (found.empty())
            return tell_unknown(wanted);
        place = found.front();
        if (found.size() > 1)
            fault_ = fmt::format(
                "the columns {} and {} are both called {}; name the right one by its place",
                found[0] + 1,
                found[1] + 1,
                written::to_quoted(wanted)
            );
    }

    void tell_unknown(std::optional<std::string> const& wanted)
    {
        auto const widest = std::ranges::max_element(first_rows(), {}, [](auto const& row) {
            return row.fields.size();
        });
        fault_ = fmt::format(
            "{}; the columns here are {}; name the right one, or its place from 1",
            wanted ? fmt::format("there is no column {}", written::to_quoted(*wanted))
                   : "no column has the numbers of the series, by its name or by its values",
            list_headings(heading_.line != 0 ? heading_ : *widest)
        );
    }

    void find_number(std::size_t& place)
    {
        auto candidates = find_candidates();
        if (candidates.size() > 1)
        {
            count_numbers(candidates);
            place = choose(candidates);
        }
        else if (!candidates.empty())
            place = candidates.front().place;
        else if (width() > 1 || !has_digit(sample_.back().fields.front()))
            tell_unknown(std::nullopt);
        // Otherwise no other column could be meant.
    }

    /// Where a name promises numbers but they are of no series, findings tell what is wrong.
    std::vector<candidate> find_candidates() const
    {
        std::vector<candidate> candidates;
        for (std::size_t n = 0; n < width(); ++n)
        {
            auto const& heading = field_of(heading_, n);
            if (auto const sure = rank_of(heading_names::number, heading))
                candidates.push_back({.place = n, .certainty = 2, .rank = *sure});
            else if (auto const vague = rank_of(heading_names::vague_number, heading))
                candidates.push_back({.place = n, .certainty = 1, .rank = *vague});
            else if (!rank_of(heading_names::amount, heading) && has_mostly_numbers(n))
                candidates.push_back({.place = n});
        }
        auto const is_number = [&](candidate const& each) {
            return each.certainty > 1 || !is_counter(each.place);
        };
        if (std::ranges::any_of(candidates, is_number))
            std::erase_if(candidates, [&](auto const& each) { return !is_number(each); });
        return candidates;
    }

    bool has_mostly_numbers(std::size_t place) const
    {
        std::size_t fields = 0;
        std::size_t numbers = 0;
        for (auto const& row : sample_)
        {
            auto const& field = field_of(row, place);
            if (row.line <= heading_.line || field.empty())
                continue;
            // An unknown heading does not count against a column.
            fields += &row != &sample_.front() || has_digit(field) ? 1U : 0U;
            numbers += fit_of(field) != number_fit::none ? 1U : 0U;
        }
        return numbers * 2 > fields;
    }

    /// Counts over the whole invoice: its first rows may be shipments with one parcel each.
    void count_numbers(std::vector<candidate>& candidates) const
    {
        rows_.all([&](csv_row const& row) {
            if (row.line <= heading_.line)
                return;
            for (auto& each : candidates)
            {
                auto const text = to_number_text(field_of(row, each.place));
                auto const fit = text.empty() ? number_fit::none : judge_(text);
                each.rows *= 31;
                if (fit == number_fit::none)
                    continue;
                auto const hash = std::hash<std::string>{}(text);
                each.rows += hash;
                each.numbers.push_back(hash);
                if (fit == number_fit::in_block)
                    each.in_blocks.push_back(hash);
                if (each.example.empty())
                    each.example = text;
            }
        });
        auto const any_in_block = std::ranges::any_of(candidates, [](auto const& each) {
            return !each.in_blocks.empty();
        });
        for (auto& each : candidates)
        {
            if (any_in_block)
                each.numbers = std::move(each.in_blocks);
            keep_different(each.numbers);
        }
    }

    std::size_t choose(std::vector<candidate>& candidates)
    {
        std::ranges::sort(candidates, [](candidate const& a, candidate const& b) {
            if (a.numbers.size() != b.numbers.size())
                return a.numbers.size() > b.numbers.size();
            return std::tuple{-a.certainty, a.rank, a.place} <
                   std::tuple{-b.certainty, b.rank, b.place};
        });
        auto const& best = candidates.front();
        for (auto const& other : std::span{candidates}.subspan(1))
            if (is_doubtful(best, other))
            {
                fault_ = fmt::format(
                    "two columns may have the numbers: {} (place {}: {} …) and {} (place {}: {} "
                    "…); "
                    "say which one: --column on the command line, column= over HTTP",
                    written::to_quoted(name_of(best.place)),
                    best.place + 1,
                    best.example,
                    written::to_quoted(name_of(other.place)),
                    other.place + 1,
                    other.example
                );
                break;
            }
        return best.place;
    }

    static bool is_doubtful(candidate const& best, candidate const& other)
    {
        if (best.rows == other.rows)
            return false;  // both have the same numbers
        if (best.numbers.size() > other.numbers.size())
            return best.certainty < other.certainty &&
                   !std::ranges::includes(best.numbers, other.numbers);
        return best.numbers.size() > 1 || best.certainty == other.certainty;
    }

    /// True for 1, 2, 3 …: numbered rows. Parcels may be consecutive, too, but not from 1 on.
    bool is_counter(std::size_t place) const
    {
        std::optional<std::int64_t> last;
        std::size_t counted = 0;
        for (auto const& row : sample_)
        {
            if (row.line <= heading_.line)
                continue;
            auto const now = read_decimal<std::int64_t>(field_of(row, place));
            if (!now && last)
                break;  // rows below the table
            if (!now || (last ? *now != *last + 1 : *now > 1))
                return false;
            last = now;
            ++counted;
        }
        return counted > 1;
    }

    /// If no name is known: the last row above the numbers with neither a number in their column
    /// nor an amount. A single text above a table is a title, whatever digits it has.
    void find_heading_above(std::size_t place)
    {
        if (heading_.line != 0)
            return;
        auto const is_title = [&](csv_row const& row) {
            auto const& field = field_of(row, place);
            if (std::ranges::any_of(row.fields, [](auto const& each) {
                    return shown_mark(each).has_value();
                }))
                return false;
            return fit_of(field) == number_fit::none &&
                   (!has_digit(field) || (width() > 1 && count_filled(row) == 1 &&
                                          field.find(' ') != std::string::npos));
        };
        csv_row const* last = nullptr;
        for (auto const& row : first_rows())
        {
            if (!is_title(row))
                break;
            last = &row;
        }
        if (last != nullptr && last != &sample_.back())
            take_heading(*last);
    }

    /// By its name; UPS Billing Data has no names, a version as 2.1 in front and some 250 columns.
    void find_amount(invoice_columns& found) const
    {
        constexpr std::size_t ups_number = 20;
        constexpr std::size_t ups_charge = 45;
        constexpr std::size_t ups_amount = 52;
        auto const& first = sample_.front();
        if (heading_.line == 0 && found.number == ups_number && first.fields.size() > 100 &&
            first.fields[0].size() == 3 && first.fields[0][1] == '.')
        {
            found.amount = ups_amount;
            found.charges = {ups_charge};
            found.charges_decide = true;
            return;
        }
        auto const amounts = find_named(heading_, heading_names::amount);
        auto const other =
            std::ranges::find_if(amounts, [&](auto each) { return each != found.number; });
        if (other != amounts.end())
            found.amount = *other;
    }

    void name_rest(invoice_columns& found) const
    {
        if (found.amount)
        {
            found.amount_name = name_of(*found.amount);
            find_mark(found);
            auto const reads = [&](std::string const& field) {
                return read_amount(field, found.mark).has_value();
            };
            // A column called S/H may have signs, or what shipping and handling costs.
            auto const find = [&](heading_names names, auto const& fits) {
                auto const places = find_named(heading_, names);
                auto const fitting = std::ranges::find_if(places, [&](auto place) {
                    return std::ranges::all_of(sample_, [&](csv_row const& row) {
                        auto const& field = field_of(row, place);
                        return row.line <= heading_.line || field.empty() || fits(field) ||
                               !reads(field_of(row, *found.amount));
                    });
                });
                return fitting == places.end() ? std::nullopt : std::optional{*fitting};
            };
            auto const is_sign = [](auto const& field) { return read_sign(field).has_value(); };
            found.sign = find(heading_names::sign, is_sign);
            found.credit = find(heading_names::credit, [&](auto const& field) {
                return reads(field) || is_sign(field);  // a dash for none
            });
        }
        for (std::size_t n = 0; n < width(); ++n)
            if (n != found.number && is_counter(n))
                found.counters.push_back(n);
        if (!found.charges.empty())
            return;
        auto const find = [&](heading_names names) {
            found.charges = find_named(heading_, names);
            std::erase_if(found.charges, [&](auto each) {
                return each == found.number || each == found.amount;
            });
            return !found.charges.empty();
        };
        found.charges_decide = find(heading_names::charge);
        if (!found.charges_decide)
            find(heading_names::vague_charge);
    }

    /// Takes the mark that most amounts of the sample show; the usual one if none does.
    void find_mark(invoice_columns& found) const
    {
        using enum decimal_mark;
        std::ptrdiff_t commas = 0;
        bool is_shown = false;
        for (auto const& row : sample_)
        {
            auto const& field = field_of(row, *found.amount);
            if (auto const shown = shown_mark(field))
            {
                is_shown = true;
                commas += *shown == comma ? 1 : -1;
            }
            else if (read_amount(field, comma) != read_amount(field, point))
                found.doubtful = field;
        }
        if (is_shown)
            found.doubtful.clear();
        found.mark = commas == 0 ? usual_ : commas > 0 ? comma : point;
    }

    std::span<csv_row const> first_rows() const
    {
        return std::span{sample_}.first(std::min(sample_.size(), heading_rows_max));
    }

    std::size_t width() const
    {
        std::size_t most = 0;
        for (auto const& row : sample_)
            most = std::max(most, row.fields.size());
        return most;
    }

    invoice_rows const& rows_;
    std::vector<csv_row> const& sample_;
    number_judge const& judge_;
    decimal_mark usual_;
    csv_row heading_;  // line 0: not found
    std::optional<std::string> fault_;
};

}  // namespace

std::optional<std::string> find_columns(
    invoice_rows const& rows,
    wanted_columns const& wanted,
    number_judge const& judge,
    decimal_mark usual,
    invoice_columns& found
)
{
    return column_finder{rows, judge, usual}.find(wanted, found);
}

namespace {

/// The kind of a row by its texts.
invoice_row_kind guess_kind(csv_row const& row, invoice_columns const& columns)
{
    using enum invoice_row_kind;
    if (row.line < columns.heading.line || row.fields == columns.heading.fields)
        return title;
    auto const& number = field_of(row, columns.number);
    auto const reads = [&](std::optional<std::size_t> place) {
        return place && read_amount(field_of(row, *place), columns.mark);
    };
    auto const has_amount =
        columns.amount ? reads(columns.amount) || reads(columns.credit) : count_filled(row) > 1;
    auto const kind_by = [](std::string_view text) {
        return rest_behind(heading_names::tax, text)     ? tax
               : rest_behind(heading_names::total, text) ? total
                                                         : charge;
    };
    if (has_digit(number) && (has_amount || !is_sentence(number)))
        return kind_by(number);
    // The first text of a row tells its kind, such as "19 % MwSt"; after it, VAT may be the code of
    // a tax.
    auto const label = std::ranges::find_if(row.fields, [](auto const& field) {
        return !field.empty() &&
               (!has_digit(field.substr(0, 1)) || field.find('%') != std::string::npos);
    });
    if (label == row.fields.end())
        return columns.amount && has_amount ? bare : charge;
    auto const kind = kind_by(*label);
    auto const place = static_cast<std::size_t>(label - row.fields.begin());
    if (kind == total && columns.amount && has_amount && place != columns.number &&
        !field_of(columns.heading, place).empty() && !is_total_alone(*label))
        return bare;
    // A plain list of numbers has no amounts: there, a word is an unreadable number.
    auto const is_words = !has_amount && (columns.amount || is_sentence(*label));
    return kind == charge && is_words ? title : kind;
}

}  // namespace

invoice_row_kind kind_of(
    csv_row const& row, invoice_columns const& columns, number_judge const& judge
)
{
    auto const kind = guess_kind(row, columns);
    // Track IDs and declared formats may look like words: VAT12345678 is no tax in its series.
    if (kind != invoice_row_kind::charge &&
        judge(to_number_text(field_of(row, columns.number))) != number_fit::none)
        return invoice_row_kind::charge;
    return kind;
}

}  // namespace gapless
