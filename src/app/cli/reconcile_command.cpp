#include "app/cli/argument.hpp"
#include "app/cli/command_line.hpp"
#include "app/cli/csv_reader.hpp"
#include "app/cli/number_commands.hpp"
#include "app/cli/progress.hpp"
#include "app/cli/reconciliation.hpp"
#include "app/cli/row_writer.hpp"
#include "app/cli/series_formats.hpp"
#include "app/cli/whole_file.hpp"
#include "store/number_store.hpp"
#include "store/series_store.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace gapless::cli {

namespace {

using json = nlohmann::ordered_json;

struct reconcile_options
{
    std::string series;
    std::string file;
};

/// What the ledger says, in one snapshot.
struct ledger_view
{
    bound_format format;
    std::vector<billed_block> blocks;
    std::vector<state_range> states;
};

constexpr std::size_t bill_bytes_max = 2'000'000'000;

constexpr std::array summary_columns{
    column{.key = "lines", .number = true},
    column{.key = "not_of_series", .number = true},
    column{.key = "outside_blocks", .number = true},
    column{.key = "never_issued", .number = true},
    column{.key = "billed_voided", .number = true},
    column{.key = "billed_twice", .number = true},
    column{.key = "never_billed", .number = true},
};

/// Where each block stands in the ledger: blocks are used up in the order of their queue. The
/// ledger itself is asked whether that holds.
result<std::vector<billed_block>> place_blocks(
    pqxx::transaction_base& transaction, std::int32_t series_id, std::string const& series
)
{
    std::vector<billed_block> placed;
    std::int64_t next = 1;
    for (auto const& block : read_blocks(transaction, series))
    {
        placed.push_back({block.first, block.last, block.issued, next, block.cycle});
        if (block.issued == 0)
            continue;
        auto const rows = read_ledger(transaction, series_id, {.after = next - 1, .limit = 1});
        if (rows.empty() || rows.front().range.ordinal != next ||
            rows.front().range.serial != block.first)
            return refusal{
                refusal_kind::state_conflict,
                fmt::format(
                    "the ledger does not have block {} where its queue says\n  'gapless verify {}' "
                    "tells what is wrong",
                    block.block_id,
                    series
                )};
        next += block.issued;
    }
    return placed;
}

ledger_view read_view(session& session, std::string const& series)
{
    return value_of(session.read([&](pqxx::transaction_base& transaction) -> result<ledger_view> {
        auto settings = read_one_settings(transaction, series);
        if (settings.has_error())
            return settings.error();
        auto blocks = place_blocks(transaction, settings->series_id, series);
        if (blocks.has_error())
            return blocks.error();
        return ledger_view{
            std::move(settings->format),
            std::move(*blocks),
            read_states(transaction, settings->series_id)};
    }));
}

/// Findings as they come: CSV, or the array of a JSON document.
class finding_writer
{
public:
    explicit finding_writer(session& session)
        : rows_{session},
          json_{session.options().output == output_format::json}
    {
        rows_.text() += json_ ? "{\"findings\":[" : "finding,number,line,detail\n";
    }

    void write(bill_finding const& found)
    {
        ++counts_[static_cast<std::size_t>(found.fault) - 1];
        auto& out = rows_.text();
        out += !json_ ? "" : total() == 1 ? "\n{\"finding\":\"" : ",\n{\"finding\":\"";
        out += name_of(found.fault);
        out += json_ ? "\",\"number\":" : ",";
        json_ ? append_json_text(out, found.number) : append_csv_text(out, found.number);
        out += json_ ? ",\"line\":" : ",";
        if (found.line != 0)
            append_integer(out, static_cast<std::int64_t>(found.line));
        else
            out += json_ ? "null" : "";
        out += json_ ? ",\"detail\":" : ",";
        json_ ? append_json_text(out, found.detail) : append_csv_text(out, found.detail);
        out += json_ ? "}" : "\n";
        rows_.row_done();
    }

    /// The counts of all findings.
    json summary(std::int64_t lines) const
    {
        json counts{{"lines", std::to_string(lines)}};
        for (std::size_t n = 0; n < bill_faults; ++n)
        {
            std::string name{name_of(static_cast<bill_fault>(n + 1))};
            std::ranges::replace(name, '-', '_');
            counts[name] = std::to_string(counts_[n]);
        }
        return counts;
    }

    void finish(json const& summary)
    {
        if (json_)
            rows_.text() += "\n],\"summary\":" + summary.dump() + "}\n";
        rows_.finish();
    }

    std::int64_t total() const noexcept
    {
        std::int64_t sum = 0;
        for (auto const count : counts_)
            sum += count;
        return sum;
    }

private:
    row_writer rows_;
    bool json_;
    std::array<std::int64_t, bill_faults> counts_{};
};

/// Which column has the numbers, and whether the first line only names columns.
struct bill_header
{
    std::size_t column{};
    bool present{};
};

bill_header read_header(csv_row const& row)
{
    for (std::size_t n = 0; n < row.fields.size(); ++n)
        if (to_capitals(row.fields[n]) == "NUMBER")
            return {n, true};
    // Without that name the first column counts; a first line without any digit is a header.
    bool const has_digit = row.fields.front().find_first_of("0123456789") != std::string::npos;
    return {0, !has_digit};
}

void read_bill(
    session& session, std::string const& name, std::string_view text, reconciliation& found
)
{
    if (text.starts_with("\xef\xbb\xbf"))
        text.remove_prefix(3);
    auto const first = text.substr(0, text.find_first_of("\r\n"));
    char const separator =
        std::ranges::count(first, ';') > std::ranges::count(first, ',') ? ';' : ',';
    progress bar{"lines", static_cast<std::size_t>(std::ranges::count(text, '\n'))};
    std::optional<bill_header> header;
    auto const take = [&](csv_row const& row) {
        if (!header)
        {
            header = read_header(row);
            if (header->present)
                return true;
        }
        if (row.line % 4'096 == 0)
        {
            session.signals().stop_if_arrived();
            bar.show(row.line);
        }
        found.take_line(
            row.line,
            header->column < row.fields.size() ? std::string_view{row.fields[header->column]}
                                               : std::string_view{}
        );
        return true;
    };
    if (auto const fault = read_csv(text, separator, take))
        throw usage_error(fmt::format("{}:{}: {}", name, fault->line, fault->what));
    if (found.lines() == 0)
        throw usage_error(name + ": there is no number in this file");
}

exit_code run(session& session, reconcile_options const& wants)
{
    auto const text = read_whole_file(wants.file, bill_bytes_max);
    if (text.size() > bill_bytes_max)
        throw usage_error(fmt::format("{}: more than {} bytes", wants.file, bill_bytes_max));
    auto view = read_view(session, wants.series);
    finding_writer writer{session};
    reconciliation found{
        view.format,
        std::move(view.blocks),
        std::move(view.states),
        [&](bill_finding const& finding) { writer.write(finding); }};
    read_bill(session, wants.file, text, found);
    found.finish();
    auto const summary = writer.summary(found.lines());
    writer.finish(summary);
    session.say(
        to_details(summary, summary_columns, false) +
        (writer.total() == 0 ? "the bill agrees with the ledger"
                             : fmt::format("{} findings", writer.total()))
    );
    return writer.total() == 0 ? exit_code::ok : exit_code::findings;
}

void declare(CLI::App& app, reconcile_options& wants)
{
    app.add_option("SERIES", wants.series, "Name of the series")->required();
    app.add_option("FILE", wants.file, "The carrier's list as CSV; -: standard input")->required();
    app.footer("Numbers stand in the column 'number', or in the first one; ',' or ';' between "
               "columns. Ends with exit\ncode 6 when there is a finding. Findings go to standard "
               "output, their counts to standard error.");
}

}  // namespace

void add_reconcile_command(command_line& line)
{
    auto& noun = line.add_noun("reconcile", "Hold a carrier's bill against the ledger");
    line.add_verb<reconcile_options>(noun, "", "", declare, run);
}

}  // namespace gapless::cli
