#include "store/batch_protocol.hpp"

#include "base/contract.hpp"
#include "store/batch_parameters.hpp"

#include <algorithm>
#include <chrono>
#include <optional>

namespace gapless {

namespace {

/// Column numbers of gapless.issue_plain (issue_plain_many has the series before them) and
/// gapless.issue_requests, as selected below.
namespace plain_column {
enum : int
{
    ordinal,
    serial,
    block_id,
    epoch,
    issued_at
};
}
namespace request_column {
enum : int
{
    request,
    outcome,
    replayed,
    turn,
    ordinal,
    serial,
    count,
    block_id,
    epoch,
    issued_at,
    detail
};
}

struct statement
{
    char const* name;
    char const* text;
    std::vector<Oid> types;
};

std::array<statement, 5> const& statements()
{
    using namespace type_id;
    // 28263: "gn" in ASCII, so that no other application's advisory locks are met by chance.
    static std::array<statement, 5> const all{{
        {"lock", "select pg_advisory_lock(28263, $1)", {int4}},
        {"unlock", "select pg_advisory_unlock_all()", {}},
        {"plain",
         "select ordinal, serial, block_id, epoch, issued_at from gapless.issue_plain($1, $2, $3, "
         "$4, $5, $6, true, $7, $8)",
         {int4, int8_array, int4_array, int4_array, uuid_array, text_array, int4_array, boolean}},
        {"many",
         "select series_id, ordinal, serial, block_id, epoch, issued_at "
         "from gapless.issue_plain_many($1, $2, $3, $4, $5, $6, $7, $8, true)",
         {int4_array,
          int8_array,
          int4_array,
          int8_array,
          int4_array,
          int4_array,
          uuid_array,
          text_array}},
        {"requests",
         "select request, outcome, replayed, turn, ordinal, serial, count, block_id, epoch, "
         "issued_at, detail "
         "from gapless.issue_requests($1, $2, $3, $4, $5, $6, true, $7, $8)",
         {int4,
          int4_array,
          int4_array,
          uuid_array,
          text_array,
          boolean_array,
          int4_array,
          boolean}},
    }};
    return all;
}

/// timestamptz is sent as microseconds since 2000-01-01.
database_time to_moment(char const* bytes) noexcept
{
    using namespace std::chrono;
    constexpr sys_days origin{year{2000} / January / 1};
    return database_time{origin} + microseconds{read_int8(bytes)};
}

/// The row of a series in what gapless.issue_plain_many returned; none: it was left out.
std::optional<int> row_of(PGresult const* rows, std::int32_t series_id)
{
    for (int row = 0; row < PQntuples(rows); ++row)
        if (read_int4(PQgetvalue(rows, row, 0)) == series_id)
            return row;
    return std::nullopt;
}

/// Requests of one series follow each other: each starts where the one before ends.
void read_plain(lane_batch const& batch, PGresult const* rows, batch_end& end)
{
    if (PQntuples(rows) == 0)
    {
        end.fate = batch_fate::not_plain;
        return;
    }
    auto const several = batch.series_id == 0;
    issuance issued;
    issued_range range;
    auto const start = [&](int row) {
        // The columns are the same but for the series before them.
        auto const at = [&](int column) {
            return PQgetvalue(rows, row, column + (several ? 1 : 0));
        };
        range.block_id = read_int4(at(plain_column::block_id));
        range.serial = read_int8(at(plain_column::serial));
        range.ordinal = read_int8(at(plain_column::ordinal));
        issued.epoch = read_int4(at(plain_column::epoch));
        issued.issued_at = to_moment(at(plain_column::issued_at));
    };

    end.answers.reserve(batch.requests.size());
    auto served = true;
    for (auto const* request : batch.requests)
    {
        if (request->series_id != issued.series_id)
        {
            issued.series_id = request->series_id;
            auto const row = several ? row_of(rows, request->series_id) : 0;
            served = row.has_value();
            if (served)
                start(*row);
            else
                end.left_out.push_back(request->series_id);
        }
        if (!served)
        {
            end.answers.emplace_back(refusal{});
            continue;
        }
        range.count = request->count;
        auto& answer = end.answers.emplace_back(issued).value();
        answer.ranges.push_back(range);
        answer.reference = request->reference;
        answer.hold_seconds = request->hold_seconds;
        range.serial += request->count;
        range.ordinal += request->count;
    }
}

void read_requests(lane_batch const& batch, PGresult const* rows, batch_end& end)
{
    end.answers.assign(batch.requests.size(), issuance{});
    for (int row = 0; row < PQntuples(rows); ++row)
    {
        auto const at = [&](int column) { return PQgetvalue(rows, row, column); };
        auto const n = static_cast<std::size_t>(read_int4(at(request_column::request))) - 1;
        ensure(n < batch.requests.size(), "an answer belongs to a request");
        if (!PQgetisnull(rows, row, request_column::outcome))
        {
            auto const kind = refusal_of_sqlstate(at(request_column::outcome));
            ensure(kind != refusal_kind{}, "SQL refuses with a state of class GL");
            end.answers[n] = refusal{kind, at(request_column::detail)};
            end.replayed = true;
            continue;
        }
        auto& issued = end.answers[n].value();
        issued.series_id = batch.series_id;
        issued.epoch = read_int4(at(request_column::epoch));
        issued.issued_at = to_moment(at(request_column::issued_at));
        issued.replayed = *at(request_column::replayed) != 0;
        issued.reference = batch.requests[n]->reference;
        issued.hold_seconds = batch.requests[n]->hold_seconds;
        end.replayed = end.replayed || issued.replayed;

        auto& range = issued.ranges.emplace_back();
        range.turn = read_int4(at(request_column::turn));
        range.ordinal = read_int8(at(request_column::ordinal));
        range.serial = read_int8(at(request_column::serial));
        range.count = read_int4(at(request_column::count));
        range.block_id = read_int4(at(request_column::block_id));
    }
    // The last look before anybody prints a label: exactly what was asked for, or a refusal.
    for (std::size_t n = 0; n < end.answers.size(); ++n)
        ensure(
            end.answers[n].has_error() || end.answers[n]->count() == batch.requests[n]->count,
            "an issuance holds exactly the numbers asked for"
        );
}

}  // namespace

std::string prepare_statements(PGconn* connection)
{
    for (auto const& statement : statements())
    {
        result_pointer const prepared{PQprepare(
            connection,
            statement.name,
            statement.text,
            static_cast<int>(statement.types.size()),
            statement.types.data()
        )};
        if (PQresultStatus(prepared.get()) != PGRES_COMMAND_OK)
            return PQresultErrorMessage(prepared.get());
    }
    return {};
}

bool send_batch(lane_wire& wire, lane_batch const& batch, binary_parameters& parameters)
{
    auto const lock = batch.manners == courtesy::lock;
    if (lock)
    {
        parameters.clear();
        parameters.add_int4(batch.series_id);
        if (!wire.send("lock", parameters) || !wire.sync())
            return false;
    }
    auto const* const statement = fill_parameters(parameters, batch);
    if (!wire.send(statement, parameters) || !wire.sync())
        return false;
    if (!lock)
        return true;
    parameters.clear();
    return wire.send("unlock", parameters) && wire.sync();
}

batch_end read_batch_result(lane_batch const& batch, PGresult const* result)
{
    batch_end end;
    end.id = batch.id;
    end.fate = batch_fate::done;
    if (PQresultStatus(result) != PGRES_TUPLES_OK)
        read_error(batch, result, end);
    else if (batch.look_up)
        read_requests(batch, result, end);
    else
        read_plain(batch, result, end);
    return end;
}

}  // namespace gapless
