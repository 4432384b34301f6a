#include "app/cli/argument.hpp"
#include "app/cli/command_line.hpp"
#include "app/cli/json.hpp"
#include "app/cli/number_commands.hpp"
#include "app/cli/progress.hpp"
#include "app/cli/row_writer.hpp"
#include "app/cli/series_formats.hpp"
#include "store/number_store.hpp"
#include "store/series_store.hpp"

#include <fmt/format.h>
#include <future>

namespace gapless::cli {

namespace {

struct export_options
{
    std::string series;
    std::string part;
};

/// Which share of the ledger is wanted: ordinals are dealt to the parts like cards, so that a
/// number is in the same part however far the ledger has grown meanwhile.
struct ledger_part
{
    std::int64_t number{1};
    std::int64_t of{1};
};

constexpr std::int32_t page_rows = 2'000;
constexpr std::int64_t parts_max = 1'000;

ledger_part read_part(std::string const& text)
{
    if (text.empty())
        return {};
    auto const slash = text.find('/');
    if (slash == std::string::npos)
        throw usage_error(fmt::format("--part: {} is not of the form 2/8", to_quoted(text)));
    auto const of = read_integer(std::string_view{text}.substr(slash + 1), 1, parts_max);
    if (of.has_error())
        throw usage_error("--part: " + of.error().detail);
    auto const number = read_integer(std::string_view{text}.substr(0, slash), 1, *of);
    if (number.has_error())
        throw usage_error("--part: " + number.error().detail);
    return {*number, *of};
}

/// Writes the records of ledger rows, which come by ordinal.
class record_writer
{
public:
    record_writer(
        session& session,
        bound_format const& format,
        ledger_part part,
        std::vector<state_range> const& states
    )
        : rows_{session},
          format_{format},
          part_{part},
          json_{session.options().output == output_format::json},
          state_{states.begin()},
          states_end_{states.end()},
          number_(format.length_max(), '\0')
    {
        if (!json_)
            rows_.text() += "number,serial,ordinal,block,issuance,reference,issued_at,state\n";
    }

    void write(ledger_row const& row)
    {
        prepare(row);
        auto const of = part_.of;
        auto const n_first = (part_.number + of - row.range.ordinal % of) % of;
        for (std::int64_t n = n_first; n < row.range.count; n += of)
        {
            auto& out = rows_.text();
            out += json_ ? R"({"number":")" : "";
            out.append(number_.data(), format_.write_number(row.range.serial + n, number_.data()));
            out += json_ ? R"(","serial":")" : ",";
            append_integer(out, row.range.serial + n);
            out += json_ ? R"(","ordinal":")" : ",";
            append_integer(out, row.range.ordinal + n);
            out += same_;
            out += state_at(row.range.ordinal + n);
            out += json_ ? "\"}\n" : "\n";
            rows_.row_done();
        }
    }

    void finish() { rows_.finish(); }

private:
    /// What all records of a row have in common: block, issuance, reference, moment.
    void prepare(ledger_row const& row)
    {
        std::string id;
        append_issuance_id(id, row.issuance);
        same_ = json_ ? R"(","block":")" : ",";
        append_integer(same_, row.range.block_id);
        same_ += json_ ? R"(","issuance":")" : ",";
        same_ += id;
        same_ += json_ ? R"(","reference":)" : ",";
        if (row.reference && json_)
            append_json_text(same_, *row.reference);
        else if (row.reference)
            append_csv_text(same_, *row.reference);
        else if (json_)
            same_ += "null";
        same_ += json_ ? R"(,"issued_at":")" : ",";
        same_ += to_moment_text(row.issued_at);
        same_ += json_ ? R"(","state":")" : ",";
    }

    std::string_view state_at(std::int64_t ordinal)
    {
        while (state_ != states_end_ && state_->last_ordinal < ordinal)
            ++state_;
        bool const inside = state_ != states_end_ && state_->first_ordinal <= ordinal;
        return inside ? std::string_view{state_->state} : "issued";
    }

    row_writer rows_;
    bound_format const& format_;
    ledger_part part_;
    bool json_;
    std::vector<state_range>::const_iterator state_;
    std::vector<state_range>::const_iterator states_end_;
    std::string number_;
    std::string same_;
};

/// How many ordinals there are.
std::int64_t count_ordinals(pqxx::transaction_base& transaction, std::string const& series)
{
    std::int64_t sum = 0;
    for (auto const& block : read_blocks(transaction, series))
        sum += block.issued;
    return sum;
}

void write_rows(
    pqxx::transaction_base& transaction,
    std::int32_t series_id,
    ledger_part part,
    record_writer& writer,
    progress& bar
)
{
    ledger_page page{.limit = page_rows};
    page.part = static_cast<std::int32_t>(part.number);
    page.shares = static_cast<std::int32_t>(part.of);
    auto const read = [&] { return read_ledger(transaction, series_id, page); };
    auto rows = read();
    while (rows.size() == static_cast<std::size_t>(page_rows))
    {
        page.after = rows.back().range.ordinal;
        // PostgreSQL makes the next page while this one is written.
        auto next = std::async(std::launch::async, read);
        for (auto const& row : rows)
            writer.write(row);
        bar.show(static_cast<std::size_t>(page.after));
        rows = next.get();
    }
    for (auto const& row : rows)
        writer.write(row);
}

exit_code run(session& session, export_options const& wants)
{
    auto const part = read_part(wants.part);
    bool started = false;
    auto const work = [&](pqxx::transaction_base& transaction) -> result<std::int64_t> {
        if (std::exchange(started, true))
            throw command_failed{
                exit_code::failure, "the connection was lost; the export is not complete"};
        auto const settings = read_one_settings(transaction, wants.series);
        if (settings.has_error())
            return settings.error();
        auto const ordinals = count_ordinals(transaction, wants.series);
        auto const states = read_states(transaction, settings->series_id);
        record_writer writer{session, settings->format, part, states};
        progress bar{"numbers", static_cast<std::size_t>(ordinals)};
        write_rows(transaction, settings->series_id, part, writer, bar);
        writer.finish();
        return ordinals;
    };
    value_of(session.read(work));
    return exit_code::ok;
}

void declare(CLI::App& app, export_options& wants)
{
    app.add_option("SERIES", wants.series, "Name of the series")->required();
    app.add_option("--part", wants.part, "One of N shares that make the whole together: 2/8")
        ->type_name("I/N");
    app.footer("One record for each number that ever left: CSV, or one JSON object a line with "
               "-o json.");
}

}  // namespace

void add_ledger_commands(command_line& line)
{
    auto& noun = line.add_noun("ledger", "The record of every number that left");
    line.add_verb<export_options>(noun, "export", "Write the ledger of a series", declare, run);
}

}  // namespace gapless::cli
