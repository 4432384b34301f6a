#include "invoices/invoice_columns.hpp"

#include "base/field_text.hpp"
#include "base/text.hpp"
#include "base/written_value.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace gapless {

namespace {

/// What carriers call the column of the numbers, as to_heading() has it; the surest first.
constexpr std::array<std::string_view, 43> number_names{
    "sendungsnummer",
    "sendungsnr",
    "sendungsid",
    "sendungscode",
    "sendungsidentnummer",
    "paketscheinnummer",
    "paketscheinnr",
    "paketnummer",
    "paketnr",
    "packstücknummer",
    "trackingnumber",
    "trackingnummer",
    "trackingnr",
    "trackingno",
    "trackingid",
    "trackingcode",
    "parcelnumber",
    "parcelno",
    "parcelid",
    "packagenumber",
    "shipmentnumber",
    "shipmentno",
    "shipmentid",
    "consignmentnumber",
    "consignmentno",
    "labelnumber",
    "identcode",
    "barcode",
    "barcodenummer",
    "nve",
    "sscc",
    "awb",
    "awbnumber",
    "waybill",
    "waybillnumber",
    "tracking",
    "sendung",
    "shipment",
    "parcel",
    "paket",
    "numbers",
    "number",
    "nummer"};

/// The same of the amount: the net one before the gross one.
constexpr std::array<std::string_view, 30> amount_names{
    "betrag",  "amount",      "nettobetrag", "betragnetto",  "netamount",    "netto",
    "net",     "nettopreis",  "netprice",    "preis",        "price",        "einzelpreis",
    "entgelt", "porto",       "kosten",      "cost",         "charge",       "charges",
    "total",   "totalamount", "totalprice",  "gesamt",       "gesamtbetrag", "gesamtpreis",
    "summe",   "sum",         "brutto",      "bruttobetrag", "grossamount",  "gross"};

/// The heading without the currency behind it: "betrageur", "nettoin€".
std::string without_currency(std::string name)
{
    for (std::string_view const end : {"€", "eur", "chf", "usd", "gbp", "in"})
        if (name.size() > end.size() && name.ends_with(end))
            name.resize(name.size() - end.size());
    return name;
}

/// The places of the columns that have one of the names, the surest name first.
std::vector<std::size_t> find_named(csv_row const& row, std::span<std::string_view const> names)
{
    std::vector<std::pair<std::ptrdiff_t, std::size_t>> found;
    for (std::size_t n = 0; n < row.fields.size(); ++n)
    {
        auto const name = to_heading(row.fields[n]);
        auto known = std::ranges::find(names, name);
        if (known == names.end())
            known = std::ranges::find(names, without_currency(name));
        if (known != names.end())
            found.emplace_back(known - names.begin(), n);
    }
    std::ranges::sort(found);
    std::vector<std::size_t> places(found.size());
    std::ranges::transform(found, places.begin(), [](auto const& each) { return each.second; });
    return places;
}

bool has_digit(std::string_view text) noexcept
{
    return text.find_first_of("0123456789") != std::string_view::npos;
}

/// True for a row below the heading: its product may be called "Paket".
bool has_values(csv_row const& row)
{
    return std::ranges::any_of(row.fields, [](auto const& field) {
        return !field.empty() && has_digit(field.substr(0, 1));
    });
}

/// The columns of a sample.
class column_finder
{
public:
    column_finder(std::vector<csv_row> const& sample, number_judge const& judge, decimal_mark usual)
        : sample_{sample},
          judge_{judge},
          usual_{usual}
    {
    }

    std::optional<invoice_columns> find(std::optional<std::string> const& wanted)
    {
        auto const place = wanted ? find_wanted(*wanted) : find_number();
        if (!place)
            return std::nullopt;
        find_heading_above(*place);
        invoice_columns found{.number = *place};
        found.name = std::to_string(*place + 1);
        if (heading_ != nullptr)
            name_columns(*place, found);
        if (found.amount)
            found.mark = find_mark(*found.amount);
        return found;
    }

private:
    /// What of the column fits the series, of the rows below the heading.
    struct fits
    {
        std::size_t fields{};  // that are not empty
        std::size_t look{};
        std::size_t in_block{};
    };

    std::optional<std::size_t> find_wanted(std::string const& wanted)
    {
        auto const name = to_heading(wanted);
        for (auto const& row : first_rows())
            for (std::size_t n = 0; n < row.fields.size(); ++n)
                if (!name.empty() && to_heading(row.fields[n]) == name)
                {
                    heading_ = &row;
                    return n;
                }
        auto const place = read_decimal<std::size_t>(wanted).value_or(0);
        if (place == 0 || place > width())
            return std::nullopt;
        return place - 1;
    }

    /// By a name whose values do not speak against it, else by the values, else by the name alone.
    std::optional<std::size_t> find_number()
    {
        std::vector<std::size_t> named;
        for (auto const& row : first_rows())
        {
            if (has_values(row))
                continue;
            named = find_named(row, number_names);
            if (named.empty())
                continue;
            heading_ = &row;
            break;
        }
        for (auto const place : named)
            if (count_fits(place).look > 0)
                return place;
        if (auto const place = find_by_values())
            return place;
        if (heading_ != nullptr)
            return named.front();
        // There is no other column that could be meant.
        if (width() == 1 && has_digit(sample_.back().fields.front()))
            return 0;
        return std::nullopt;
    }

    std::optional<std::size_t> find_by_values() const
    {
        std::optional<std::size_t> best;
        std::size_t most = 0;
        for (std::size_t n = 0; n < width(); ++n)
        {
            auto const found = count_fits(n);
            // In a block counts more than any number that only looks so.
            auto const worth = found.in_block * (sample_.size() + 1) + found.look;
            if (found.look * 2 <= found.fields || worth <= most)
                continue;
            most = worth;
            best = n;
        }
        return best;
    }

    fits count_fits(std::size_t place) const
    {
        fits found;
        for (auto const& row : sample_)
        {
            if ((heading_ != nullptr && row.line <= heading_->line) || place >= row.fields.size() ||
                row.fields[place].empty())
                continue;
            // A heading that is not known yet speaks against no column.
            found.fields += &row != &sample_.front() || has_digit(row.fields[place]) ? 1U : 0U;
            auto const fit = judge_(to_number_text(row.fields[place]));
            found.look += fit != number_fit::none ? 1U : 0U;
            found.in_block += fit == number_fit::in_block ? 1U : 0U;
        }
        return found;
    }

    /// The first row, where it has no name that is known and yet no number in this column.
    void find_heading_above(std::size_t place)
    {
        auto const& first = sample_.front();
        if (heading_ != nullptr || place >= first.fields.size() || has_digit(first.fields[place]) ||
            first.fields[place].empty())
            return;
        heading_ = &first;
    }

    void name_columns(std::size_t place, invoice_columns& found) const
    {
        found.heading_line = heading_->line;
        if (place < heading_->fields.size() && !heading_->fields[place].empty())
            found.name = heading_->fields[place];
        auto const amounts = find_named(*heading_, amount_names);
        auto const other = std::ranges::find_if(amounts, [&](auto each) { return each != place; });
        if (other == amounts.end())
            return;
        found.amount = *other;
        found.amount_name = heading_->fields[*other];
    }

    /// What most amounts of the sample show; where none does, the usual one.
    decimal_mark find_mark(std::size_t place) const
    {
        std::ptrdiff_t commas = 0;
        for (auto const& row : sample_)
            if (place < row.fields.size())
                if (auto const shown = shown_mark(row.fields[place]))
                    commas += *shown == decimal_mark::comma ? 1 : -1;
        return commas == 0 ? usual_ : commas > 0 ? decimal_mark::comma : decimal_mark::point;
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

    std::vector<csv_row> const& sample_;
    number_judge const& judge_;
    decimal_mark usual_;
    csv_row const* heading_{};  // null: not found
};

}  // namespace

std::optional<invoice_columns> find_columns(
    std::vector<csv_row> const& sample,
    std::optional<std::string> const& wanted,
    number_judge const& judge,
    decimal_mark usual
)
{
    return sample.empty() ? std::nullopt : column_finder{sample, judge, usual}.find(wanted);
}

std::string list_headings(csv_row const& row)
{
    constexpr std::size_t listed_max = 30;
    std::string list;
    for (std::size_t n = 0; n < row.fields.size() && n < listed_max; ++n)
        list += (n == 0 ? "" : ", ") + written::to_quoted(row.fields[n]);
    return list + (row.fields.size() > listed_max ? " …" : "");
}

}  // namespace gapless
