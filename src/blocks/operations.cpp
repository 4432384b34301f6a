#include "blocks/operations.hpp"

#include "base/limits.hpp"
#include "base/text.hpp"
#include "formats/series_formats.hpp"
#include "postgres/sql.hpp"
#include "record/operates.hpp"

#include <fmt/format.h>

namespace gapless::blocks {

void check(block_move const& wanted)
{
    if (wanted.before.has_value() == wanted.last.value_or(false))
        throw refused{
            refusal_kind::malformed_request,
            R"(Give either "before", a block's id, or "last":true.)"};
}

void check(block_end const& wanted)
{
    if (wanted.reason.find_first_not_of(' ') == std::string::npos ||
        count_characters(wanted.reason) > reference_characters_max)
        throw wrong_field{
            refusal_kind::out_of_range,
            fmt::format(" has to have 1 to {} characters", reference_characters_max),
            name_of(&block_end::reason)};
}

namespace {

/// Their numbers are not printed yet.
std::vector<block> read_report(
    pqxx::transaction_base& database,
    std::optional<std::string> const& series,
    std::optional<std::int32_t> id = {}
)
{
    return select<block>(
        database,
        "select *, block_id as id, first as first_serial, last as last_serial, "
        "false as dry_run from gapless.block_report($1, $2)",
        series,
        id
    );
}

std::vector<block> print(pqxx::transaction_base& database, std::vector<block> all)
{
    series_formats formats{database};
    for (auto& each : all)
        print_numbers(each, formats[each.series]);
    return all;
}

std::vector<placed<block>> list(
    pqxx::transaction_base& database, series_page const& wanted, series_entry const& of
)
{
    std::vector<placed<block>> found;
    for (auto& each : read_report(database, wanted.series))
    {
        if (each.position.value() <= wanted.after.value)
            continue;
        if (found.size() > static_cast<std::size_t>(wanted.limit))
            break;
        print_numbers(each, of.format);
        auto place = std::to_string(*each.position);
        found.push_back({std::move(each), std::move(place)});
    }
    return found;
}

/// Does something to a block that is there, and answers what it is then.
template <class Input, class Act>
block change(pqxx::transaction_base& database, Input const& wanted, series_entry const& of, Act act)
{
    block_id const which{wanted.series, wanted.id};
    read(database, which, of);
    act();
    return read(database, which, of);
}

/// The parameters of the functions that end a block.
struct ended_block
{
    record_id block_id;
    std::string reason;
};
GAPLESS_RECORD(ended_block, (), (block_id, "Id of the block."), (reason, "Why."))

block end(
    pqxx::transaction_base& database,
    std::string_view function,
    block_end const& wanted,
    caller const& by,
    series_entry const& of
)
{
    return change(database, wanted, of, [&] {
        call(database, function, ended_block{wanted.id, wanted.reason}, by);
    });
}

constexpr operation table[]{
    operates<&list>({
        .method = http_method::get,
        .path = "/v1/series/{series}/blocks",
        .needs = scope::read,
        .summary = "The blocks of a series in the order of the queue",
    }),
    operates<&read>({
        .method = http_method::get,
        .path = "/v1/series/{series}/blocks/{id}",
        .needs = scope::read,
        .summary = "A block",
    }),
    operates<&move>({
        .method = http_method::post,
        .path = "/v1/series/{series}/blocks/{id}/move",
        .needs = scope::load,
        .summary = "Give a queued block another place",
        .description = "Before another queued block, or behind the last one.",
    }),
    operates<&close>({
        .method = http_method::post,
        .path = "/v1/series/{series}/blocks/{id}/close",
        .needs = scope::load,
        .summary = "End a block: its remaining numbers are never issued",
    }),
    operates<&withdraw>({
        .method = http_method::post,
        .path = "/v1/series/{series}/blocks/{id}/withdraw",
        .needs = scope::load,
        .summary = "Take back a block that was never used",
        .description = "Its numbers can be loaded again, here or elsewhere.",
    }),
    operates<&recall>({
        .method = http_method::post,
        .path = "/v1/series/{series}/blocks/{id}/recall",
        .needs = scope::load,
        .summary = "End a block that the carrier rejects",
        .description = "Remaining numbers are never issued, held and free ones are voided. Issued "
                       "ones stay what they are; look-ups say that they are recalled. Repeatable.",
    }),
};

}  // namespace

std::vector<block> read_all(
    pqxx::transaction_base& database,
    std::optional<std::string> const& series,
    std::optional<std::int32_t> id
)
{
    return print(database, read_report(database, series, id));
}

std::vector<block> read_last(
    pqxx::transaction_base& database, std::string const& series, std::size_t count
)
{
    auto queue = read_report(database, series);
    queue.erase(queue.begin(), queue.end() - static_cast<std::ptrdiff_t>(count));
    return print(database, std::move(queue));
}

refusal missing_block(std::string const& series, std::int32_t id)
{
    return {refusal_kind::not_found, fmt::format("series '{}' has no block {}", series, id)};
}

block read(pqxx::transaction_base& database, block_id const& which, series_entry const& of)
{
    auto found = read_report(database, which.series, which.id.value);
    if (found.empty())
        throw refused{missing_block(which.series, which.id)};
    print_numbers(found.front(), of.format);
    return std::move(found.front());
}

block move(
    pqxx::transaction_base& database,
    block_move const& wanted,
    caller const& by,
    series_entry const& of
)
{
    return change(database, wanted, of, [&] {
        execute(
            database,
            "select gapless.block_move($1, $2, $3)",
            wanted.id.value,
            to_sql(wanted.before),
            by.name
        );
    });
}

block close(
    pqxx::transaction_base& database,
    block_end const& wanted,
    caller const& by,
    series_entry const& of
)
{
    return end(database, "block_close", wanted, by, of);
}

block withdraw(
    pqxx::transaction_base& database,
    block_end const& wanted,
    caller const& by,
    series_entry const& of
)
{
    return end(database, "block_withdraw", wanted, by, of);
}

block recall(
    pqxx::transaction_base& database,
    block_end const& wanted,
    caller const& by,
    series_entry const& of
)
{
    return end(database, "block_recall", wanted, by, of);
}

constinit feature const administration{"block", "Blocks of numbers that carriers assigned", table};

}  // namespace gapless::blocks
