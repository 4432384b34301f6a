#include "blocks/series_file.hpp"

#include "base/csv_reader.hpp"
#include "base/field_text.hpp"
#include "base/table_text.hpp"
#include "base/text.hpp"
#include "base/written_value.hpp"
#include "blocks/block_file_day.hpp"
#include "blocks/block_heading.hpp"
#include "formats/catalogue.hpp"
#include "record/read.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <span>

namespace gapless::blocks {

namespace {

constexpr std::string_view params_prefix{"params."};

/// What a column of the file holds.
struct file_column
{
    std::size_t field{};  // of series_row
    std::string key;      // of a parameter of the format; else empty

    bool operator==(file_column const&) const = default;
};

/// "name, carrier, …, params.KEY, …"
std::string names_of_columns()
{
    std::string names;
    for (auto const& field : input_of<series_row>.fields)
    {
        auto const is_object = (field.accepts & takes_object) != 0;
        names.append(names.empty() ? "" : ", ").append(field.name).append(is_object ? ".KEY" : "");
    }
    return names;
}

class series_file_reader
{
public:
    bool take(csv_row row)
    {
        if (is_empty(row))
            return true;
        while (row.fields.back().empty() &&
               (columns_.empty() || row.fields.size() > columns_.size()))
            row.fields.pop_back();
        if (columns_.empty())
        {
            read_heading(row);
            return file_.faults.empty();
        }
        if (file_.series.size() == series_file_rows_max)
        {
            blame(row.line, 0, fmt::format("more than {} series", series_file_rows_max));
            return false;
        }
        read_row(std::move(row));
        return file_.faults.size() < series_file_faults_max;
    }

    void blame(std::size_t line, std::size_t column, std::string what)
    {
        file_.faults.push_back({line, column, std::move(what)});
    }

    series_file finish() &&
    {
        if (file_.faults.empty() && file_.series.empty())
            blame(0, 0, "there is no series below the row that names the columns");
        return std::move(file_);
    }

private:
    static constexpr std::span<input_field const> fields{input_of<series_row>.fields};

    static std::size_t place_of(std::string_view field)
    {
        return static_cast<std::size_t>(
            std::ranges::find(fields, field, &input_field::name) - fields.begin()
        );
    }

    /// The column that is called so: as a field is, in any case, or as one of a file of blocks.
    static std::optional<file_column> find_column(std::string_view name)
    {
        if (auto const small = to_lower(name); small.starts_with(params_prefix))
            return small.size() == params_prefix.size()
                       ? std::nullopt
                       : std::optional{file_column{
                             place_of(name_of(&series_row::params)),
                             small.substr(params_prefix.size())}};
        if (to_lower(name) == "series")
            return file_column{place_of(name_of(&series_row::name)), {}};
        auto const same = [wanted = to_heading(name)](input_field const& field) {
            return (field.accepts & takes_object) == 0 && to_heading(field.name) == wanted;
        };
        if (auto const own = std::ranges::find_if(fields, same); own != fields.end())
            return file_column{place_of(own->name), {}};
        if (auto const block = find_block_column(name))
            return file_column{place_of(name_of(*block)), {}};
        return std::nullopt;
    }

    void read_heading(csv_row const& row)
    {
        for (std::size_t n = 0; n < row.fields.size(); ++n)
        {
            auto found = find_column(row.fields[n]);
            if (!found)
                blame(
                    row.line,
                    n + 1,
                    fmt::format(
                        "there is no column {}; there are {}",
                        written::to_quoted(row.fields[n]),
                        names_of_columns()
                    )
                );
            else if (auto const other = std::ranges::find(columns_, *found);
                     other != columns_.end())
                blame(
                    row.line,
                    n + 1,
                    fmt::format(
                        "column {} is there twice, also as column {}",
                        written::to_quoted(row.fields[n]),
                        other - columns_.begin() + 1
                    )
                );
            columns_.push_back(found ? std::move(*found) : file_column{fields.size(), {}});
        }
    }

    /// From 1; 0: the file does not have that column.
    std::size_t column_of(std::string_view field) const
    {
        for (std::size_t n = 0; n < columns_.size(); ++n)
            if (fields[columns_[n].field].name == field)
                return n + 1;
        return 0;
    }

    /// The cells as they would be without spreadsheets and local habits, as in a file of blocks.
    void tidy(csv_row& row)
    {
        auto const format = column_of(name_of(&series_row::format));
        auto const& named = format == 0 ? std::string{} : field_of(row, format - 1);
        auto const is_plain = named.empty() || named == default_format_name;
        for (std::size_t n = 0; n < row.fields.size(); ++n)
        {
            auto& text = row.fields[n];
            auto const& field = fields[columns_[n].field];
            if (field.name == name_of(&series_row::first) ||
                field.name == name_of(&series_row::last))
            {
                text = to_number_text(text);
                if (auto const fault = exponent_fault(text, !is_plain); !fault.empty())
                    blame(row.line, n + 1, fmt::format("{}: {}", field.name, fault));
            }
            else if (field.name == name_of(&series_row::valid_until))
            {
                auto day = read_one_day(text);
                if (day.has_error())
                    blame(row.line, n + 1, fmt::format("{}: {}", field.name, day.error().detail));
                else
                    text = std::move(*day);
            }
            else if ((field.accepts & takes_digits) != 0)
                text = to_count_text(text);
        }
    }

    std::vector<raw_value> read_cells(csv_row const& row) const
    {
        std::vector<raw_value> values(fields.size());
        for (std::size_t n = 0; n < columns_.size(); ++n)
        {
            auto const& [place, key] = columns_[n];
            auto const& text = field_of(row, n);
            auto& value = values[place];
            if (text.empty())
                continue;
            if (!key.empty())
            {
                if (!std::holds_alternative<raw_object>(value))
                    value = raw_object{};
                std::get<raw_object>(value).emplace_back(key, text);
            }
            else if (text == fields[place].about.null_word)
                value = nullptr;
            else
                value = text;
        }
        return values;
    }

    void read_row(csv_row row)
    {
        auto const faults_before = file_.faults.size();
        if (row.fields.size() > columns_.size())
            return blame(
                row.line,
                columns_.size() + 1,
                fmt::format(
                    "{} stands behind the last column",
                    written::to_quoted(row.fields[columns_.size()])
                )
            );
        for (std::size_t n = 0; n < row.fields.size(); ++n)
            if (!written::is_text(row.fields[n]) || written::has_control_character(row.fields[n]))
                blame(row.line, n + 1, "a value has to be UTF-8 text in one line");
        if (file_.faults.size() == faults_before)
            tidy(row);
        if (file_.faults.size() > faults_before)
            return;
        series_line made{.line = row.line, .column = column_of(name_of(&series_row::first))};
        auto values = read_cells(row);
        std::size_t column{};
        auto const wording = [&](input_field const& field, std::string_view what) {
            column = column_of(field.name);
            auto text = std::string{field.name}.append(what);
            if (column != 0 && !field_of(row, column - 1).empty())
                text += "; it is " + written::to_quoted(field_of(row, column - 1));
            return text;
        };
        try
        {
            fill_record(input_of<series_row>, values, wording, &made.row);
        }
        catch (refused const& no)
        {
            return blame(row.line, column, no.why.detail);
        }
        if (made.row.first.has_value() != made.row.last.has_value())
            return blame(row.line, made.column, "a block has both, first and last");
        auto const [other, is_new] = lines_.emplace(made.row.name, row.line);
        if (!is_new)
            return blame(
                row.line,
                column_of(name_of(&series_row::name)),
                fmt::format("name: {} is in line {} already", made.row.name, other->second)
            );
        if (made.row.first && !made.row.count && made.row.first->text == made.row.last->text &&
            looks_rounded(made.row.last->text))
            return blame(
                row.line,
                column_of(name_of(&series_row::last)),
                one_number_fault(made.row.last->text)
            );
        if (made.row.first)
            ++file_.blocks;
        file_.series.push_back(std::move(made));
    }

    series_file file_;
    std::vector<file_column> columns_;          // as in the file; empty: not read yet
    std::map<std::string, std::size_t> lines_;  // by name
};

}  // namespace

series_file read_series_file(std::string_view bytes)
{
    series_file_reader reader;
    table_text table;
    if (bytes.size() > series_file_bytes_max)
        reader.blame(0, 0, fmt::format("it has more than {} bytes", series_file_bytes_max));
    else if (auto fault = open_table(bytes, table))
        reader.blame(fault->line, fault->column, std::move(fault->what));
    else if (auto const no_csv = read_csv(
                 table.text,
                 table.separator,
                 [&](csv_row const& row) { return reader.take(row); },
                 table.first_line
             ))
        reader.blame(no_csv->line, 0, no_csv->what);
    return std::move(reader).finish();
}

}  // namespace gapless::blocks
