#include "app/cli/block_file.hpp"

#include "app/cli/argument.hpp"
#include "app/cli/csv_reader.hpp"
#include "domain/format/catalogue.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <numeric>

namespace gapless::cli {

namespace {

constexpr std::array<std::string_view, 5> known_columns{
    "first", "last", "count", "reference", "valid_until"};
enum column_id : std::size_t
{
    first = 0,
    last,
    count,
    reference,
    valid_until
};

/// Where each known column stands in a row; absent: the file does not have it.
using column_places = std::array<std::size_t, known_columns.size()>;
constexpr auto absent = static_cast<std::size_t>(-1);

std::string to_lower(std::string text)
{
    std::ranges::transform(text, text.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    return text;
}

/// Reads rows one by one into a block_file.
class block_reader
{
public:
    block_reader(block_file& file, bound_format const* format) : file_{file}, format_{format} {}

    /// False when reading on makes no sense.
    bool take(csv_row row)
    {
        if (!header_read_)
            return take_header(row);
        if (file_.blocks.size() + skipped_ >= block_file_rows_max)
        {
            add(row.line,
                0,
                fmt::format("a file may hold {} blocks; split it here", block_file_rows_max));
            return false;
        }
        if (row.fields.size() != columns_)
            add(row.line,
                0,
                fmt::format("{} fields, but the header names {}", row.fields.size(), columns_));
        else
            take_block(row);
        return file_.faults.size() < block_file_faults_max;
    }

    bool header_read() const noexcept { return header_read_; }

private:
    void add(std::size_t line, std::size_t column, std::string what)
    {
        if (file_.faults.size() < block_file_faults_max)
            file_.faults.push_back({line, column, std::move(what)});
    }

    bool take_header(csv_row const& row)
    {
        header_read_ = true;
        columns_ = row.fields.size();
        for (std::size_t n = 0; n < row.fields.size(); ++n)
        {
            auto const* known = std::ranges::find(known_columns, to_lower(row.fields[n]));
            if (known == known_columns.end())
            {
                add(row.line,
                    n + 1,
                    fmt::format(
                        "there is no column {}; there are {}",
                        to_quoted(row.fields[n]),
                        fmt::join(known_columns, ", ")
                    ));
                continue;
            }
            auto& place = places_[static_cast<std::size_t>(known - known_columns.begin())];
            if (place != absent)
                add(row.line, n + 1, fmt::format("column {} stands there twice", *known));
            place = n;
        }
        for (auto const required : {first, last})
            if (places_[required] == absent)
                add(row.line, 0, fmt::format("the header has no column {}", known_columns[required])
                );
        return file_.faults.empty();
    }

    void take_block(csv_row const& row)
    {
        auto const faults_before = file_.faults.size();
        block_line block{.line = row.line, .column = places_[first] + 1};
        take_ends(row, block);
        if (auto value = field(row, reference, read_reference))
            block.reference = std::move(*value);
        if (places_[valid_until] != absent && !row.fields[places_[valid_until]].empty())
            block.valid_until = field(row, valid_until, read_moment);
        if (file_.faults.size() == faults_before)
            check_bounds(row, block);
        if (file_.faults.size() == faults_before)
            file_.blocks.push_back(std::move(block));
        else
            ++skipped_;
    }

    void take_ends(csv_row const& row, block_line& block)
    {
        if (format_ == nullptr || format_->format().name() == default_format_name)
        {
            block.first = field(row, first, cli::read_serial).value_or(0);
            block.last = field(row, last, cli::read_serial).value_or(0);
            return;
        }
        auto const ends =
            read_block_ends(*format_, row.fields[places_[first]], row.fields[places_[last]]);
        if (ends.has_error())
            return add(row.line, places_[first] + 1, "first, last: " + ends.error().reason);
        block = {.line = row.line, .first = ends->first_serial, .last = ends->last_serial};
        if (ends->read_as == block_ends_read_as::numbers)
            ++file_.whole_numbers;
    }

    void check_bounds(csv_row const& row, block_line const& block)
    {
        if (block.first > block.last)
            return add(
                row.line,
                places_[last] + 1,
                fmt::format("last: {} lies before first, {}", block.last, block.first)
            );
        auto const numbers = static_cast<std::uint64_t>(block.last - block.first) + 1;
        if (places_[count] != absent && !row.fields[places_[count]].empty())
            if (auto const stated = field(row, count, read_stated_count);
                stated && *stated != std::to_string(numbers))
                add(row.line,
                    places_[count] + 1,
                    fmt::format(
                        "count: {}…{} holds {} numbers, both ends included, not {}",
                        block.first,
                        block.last,
                        numbers,
                        *stated
                    ));
        file_.numbers += numbers;
    }

    /// The field as a value, or none and a fault.
    template <class Reader>
    auto field(csv_row const& row, column_id column, Reader reader)
        -> std::optional<typename decltype(reader(""))::value_type>
    {
        if (places_[column] == absent)
            return std::nullopt;
        auto outcome = reader(row.fields[places_[column]]);
        if (outcome.has_value())
            return std::move(*outcome);
        add(row.line,
            places_[column] + 1,
            fmt::format("{}: {}", known_columns[column], outcome.error().detail));
        return std::nullopt;
    }

    block_file& file_;
    bound_format const* format_;
    bool header_read_{};
    std::size_t columns_{};
    std::size_t skipped_{};  // rows with faults
    column_places places_{absent, absent, absent, absent, absent};
};

void find_overlaps(block_file& file)
{
    std::vector<block_line const*> by_first(file.blocks.size());
    std::ranges::transform(file.blocks, by_first.begin(), [](auto const& block) { return &block; });
    std::ranges::sort(by_first, {}, &block_line::first);
    block_line const* furthest = nullptr;
    for (auto const* block : by_first)
    {
        if (furthest != nullptr && block->first <= furthest->last)
        {
            auto const [upper, lower] =
                std::minmax(block, furthest, [](auto const* a, auto const* b) {
                    return a->line < b->line;
                });
            file.faults.push_back(
                {lower->line,
                 lower->column,
                 fmt::format(
                     "first: {}…{} overlaps {}…{} of line {}",
                     lower->first,
                     lower->last,
                     upper->first,
                     upper->last,
                     upper->line
                 )}
            );
        }
        if (furthest == nullptr || block->last > furthest->last)
            furthest = block;
        if (file.faults.size() >= block_file_faults_max)
            break;
    }
    std::ranges::sort(file.faults, {}, &file_fault::line);
}

std::size_t line_of(std::string_view text, std::size_t position)
{
    return 1 + static_cast<std::size_t>(std::ranges::count(text.substr(0, position), '\n'));
}

/// What keeps the bytes from being a text at all, or none.
std::optional<file_fault> find_foreign_bytes(std::string_view text)
{
    if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff"))
        return file_fault{0, 0, "this is UTF-16; save it as CSV in UTF-8"};
    if (text.size() > block_file_bytes_max)
        return file_fault{
            0, 0, fmt::format("more than {} bytes; split the file", block_file_bytes_max)};
    for (std::size_t at = 0; at < text.size();)
    {
        auto const end = std::min(text.find('\n', at), text.size());
        if (!is_text(text.substr(at, end - at)))
            return file_fault{
                line_of(text, at), 0, "this is not UTF-8; save the file as CSV in UTF-8"};
        at = end + 1;
    }
    return std::nullopt;
}

char separator_of(std::string_view text)
{
    auto const header = text.substr(0, text.find_first_of("\r\n"));
    return std::ranges::count(header, ';') > std::ranges::count(header, ',') ? ';' : ',';
}

}  // namespace

block_file read_block_file(std::string_view text, bound_format const* format)
{
    block_file file;
    if (text.starts_with("\xef\xbb\xbf"))
        text.remove_prefix(3);
    if (auto fault = find_foreign_bytes(text))
    {
        file.faults.push_back(std::move(*fault));
        return file;
    }
    block_reader reader{file, format};
    auto const take = [&](csv_row row) { return reader.take(std::move(row)); };
    if (auto fault = read_csv(text, separator_of(text), take))
        file.faults.push_back({fault->line, 0, std::move(fault->what)});
    else if (!reader.header_read())
        file.faults.push_back(
            {1,
             0,
             "the file is empty; its first line has to be: first,last,count,reference,valid_until"}
        );
    else if (file.faults.empty() && file.blocks.empty())
        file.faults.push_back({0, 0, "there is no block below the header"});
    else if (file.faults.empty())
        find_overlaps(file);
    // The text may break off right behind the last fault that was taken.
    file.faults.resize(std::min(file.faults.size(), block_file_faults_max));
    return file;
}

std::string to_text(file_fault const& fault, std::string_view file)
{
    std::string text{file};
    if (fault.line != 0)
        text += fmt::format(":{}", fault.line);
    if (fault.column != 0)
        text += fmt::format(": column {}", fault.column);
    return text + ": " + fault.what;
}

}  // namespace gapless::cli
