#include "blocks/operations.hpp"

#include "formats/find_series.hpp"
#include "formats/series_formats.hpp"
#include "postgres/sql.hpp"
#include "record/operates.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace gapless::blocks {

void check(block_move const& wanted)
{
    if (wanted.before.has_value() == wanted.last.value_or(false))
        throw wrong_field{
            refusal_kind::malformed_request,
            ": exactly one of before and last says where the block goes",
            name_of(&block_move::before)};
}

void check(block_end const& wanted)
{
    check_reason(wanted.reason, name_of(&block_end::reason));
}

namespace {

/// At most `limit` of those behind the position `after`. Their numbers are not formatted yet.
std::vector<block> read_report(
    pqxx::transaction_base& database,
    std::optional<std::string> const& series,
    std::optional<std::int32_t> id = {},
    std::int64_t after = 0,
    std::optional<std::int64_t> limit = {}
)
{
    return select<block>(
        database,
        "select *, block_id as id, first as first_serial, last as last_serial, "
        "false as dry_run from gapless.block_report($1, $2, $3, $4)",
        series,
        id,
        after,
        limit
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
    auto const limit = wanted.limit + 1;  // whether there is another page
    for (auto& each : read_report(database, wanted.series, {}, wanted.after.value, limit))
    {
        print_numbers(each, of.format);
        auto place = std::to_string(*each.position);
        found.push_back({std::move(each), std::move(place)});
    }
    return found;
}

/// Refuses with unknown_series if there is no such series.
void check_series(pqxx::transaction_base& database, std::optional<std::string> const& name)
{
    if (name)
        value_or_throw(cases::find_series{*name}.run(database));
}

/// The blocks of all series, or of the named one. Refuses with unknown_series.
std::vector<block> list_all(pqxx::transaction_base& database, named_blocks const& wanted)
{
    auto found = read_all(database, wanted.series);
    if (found.empty())
        check_series(database, wanted.series);
    return found;
}

/// Refuses with unknown_series and not_found, like everything below. The block's numbers are not
/// formatted yet.
block find(pqxx::transaction_base& database, block_id const& which)
{
    auto found = read_report(database, which.series, which.id.value);
    if (found.empty())
    {
        check_series(database, which.series);
        throw refused{missing_block(which.series, which.id)};
    }
    return std::move(found.front());
}

block read(pqxx::transaction_base& database, block_id const& which)
{
    return std::move(print(database, {find(database, which)}).front());
}

/// Changes an existing block and answers its new state.
template <class Act>
block change(pqxx::transaction_base& database, block_id const& which, Act act)
{
    find(database, which);
    act();
    return read(database, which);
}

/// Moves a queued block before another one of its series, or to the end. Refuses with
/// state_conflict.
block move(pqxx::transaction_base& database, block_move const& wanted, caller const& by)
{
    return change(database, wanted, [&] {
        execute(
            database,
            "select gapless.block_move($1, $2, $3)",
            wanted.id.value,
            to_sql(wanted.before),
            by.name
        );
    });
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
    caller const& by
)
{
    return change(database, wanted, [&] {
        call(database, function, ended_block{wanted.id, wanted.reason}, by);
    });
}

/// Ends a queued or open block: its remaining numbers are never issued. Refuses with
/// state_conflict.
block close(pqxx::transaction_base& database, block_end const& wanted, caller const& by)
{
    return end(database, "block_close", wanted, by);
}

/// Takes back a block that no number was issued from; repeatable. Refuses with state_conflict.
block withdraw(pqxx::transaction_base& database, block_end const& wanted, caller const& by)
{
    return end(database, "block_withdraw", wanted, by);
}

/// Ends a block that the carrier rejects, and voids its held and returned numbers; repeatable.
/// Refuses with state_conflict.
block recall(pqxx::transaction_base& database, block_end const& wanted, caller const& by)
{
    return end(database, "block_recall", wanted, by);
}

// In the order of `gapless block --help`, after `load`.
constexpr operation table[]{
    operates<&list_all>({
        .verb = "list",
        .method = http_method::get,
        .summary = "List blocks in the order they are used",
    }),
    operates<&list>({
        .method = http_method::get,
        .path = "/v1/series/{series}/blocks",
        .needs = scope::read,
        .summary = "The blocks of a series in the order of the queue",
    }),
    operates<&read>({
        .verb = "show",
        .method = http_method::get,
        .path = "/v1/series/{series}/blocks/{id}",
        .needs = scope::read,
        .summary = "A block",
        .help = "Show one block",
    }),
    operates<&move>({
        .verb = "move",
        .method = http_method::post,
        .path = "/v1/series/{series}/blocks/{id}/move",
        .needs = scope::load,
        .summary = "Give a queued block another place",
        .help = "Change the place of a queued block",
        .description = "Before another queued block, or behind the last one.",
    }),
    operates<&close>({
        .verb = "close",
        .method = http_method::post,
        .path = "/v1/series/{series}/blocks/{id}/close",
        .needs = scope::load,
        .summary = "End a block: its remaining numbers are never issued",
        .help = "Never issue the rest of a queued or open block",
        .question =
            "Close block {id} of {series} ({first}…{last})? Its {remaining} remaining numbers "
            "will never be issued.",
    }),
    operates<&withdraw>({
        .verb = "withdraw",
        .method = http_method::post,
        .path = "/v1/series/{series}/blocks/{id}/withdraw",
        .needs = scope::load,
        .summary = "Take back a block that was never used",
        .description = "Its numbers can be loaded again, here or elsewhere.",
        .locks_itself = true,
        .done = "its numbers can be loaded again",
    }),
    operates<&recall>({
        .verb = "recall",
        .method = http_method::post,
        .path = "/v1/series/{series}/blocks/{id}/recall",
        .needs = scope::load,
        .summary = "End a block that the carrier rejects",
        .description = "Remaining numbers are never issued, held and free ones are voided. Issued "
                       "ones stay what they are; look-ups say that they are recalled. Repeatable.",
        .question =
            "Recall block {id} of {series}? Its {remaining} remaining numbers, and those on hold, "
            "will never be used; {issued} were issued and stay so.",
        .done = "what was issued of it: gapless issuance list {series} --block {id}",
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

refusal missing_block(std::optional<std::string> const& series, std::int32_t id)
{
    return {
        refusal_kind::not_found,
        series ? fmt::format(
                     "series '{0}' has no block {1}; list them: gapless block list {0}", *series, id
                 )
               : fmt::format("there is no block {}", id)};
}

constinit feature const administration{"block", "Blocks of numbers that carriers assigned", table};

}  // namespace gapless::blocks
