#include "store/batch_protocol.hpp"

#include "base/contract.hpp"
#include "base/failpoint.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

namespace gapless {

namespace {

/// Column numbers of gapless.issue_plain and gapless.issue_requests, as selected below.
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

std::array<statement, 4> const& statements()
{
    using namespace type_id;
    // 28263: "gn" in ASCII, so that no other application's advisory locks are met by chance.
    static std::array<statement, 4> const all{{
        {"lock", "select pg_advisory_lock(28263, $1)", {int4}},
        {"unlock", "select pg_advisory_unlock_all()", {}},
        {"plain",
         "select ordinal, serial, block_id, epoch, issued_at from gapless.issue_plain($1, $2, $3, "
         "$4, $5, $6, true, $7)",
         {int4, int8_array, int4_array, int4_array, uuid_array, text_array, int4_array}},
        {"requests",
         "select request, outcome, replayed, turn, ordinal, serial, count, block_id, epoch, "
         "issued_at, detail "
         "from gapless.issue_requests($1, $2, $3, $4, $5, $6, true, $7)",
         {int4, int4_array, int4_array, uuid_array, text_array, boolean_array, int4_array}},
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

void fill_parameters(binary_parameters& parameters, lane_batch const& batch)
{
    auto const& requests = batch.requests;
    auto const n = requests.size();
    parameters.clear();
    parameters.add_int4(batch.series_id);
    if (!batch.look_up)
    {
        parameters.begin_array(type_id::int8, n);
        std::int64_t offset = 0;
        for (auto const* request : requests)
        {
            parameters.append_int8(offset);
            offset += request->count;
        }
    }
    parameters.begin_array(type_id::int4, n);
    for (auto const* request : requests)
        parameters.append_int4(request->count);
    parameters.begin_array(type_id::int4, n);
    for (auto const* request : requests)
        parameters.append_int4(seeded_bug("owner-not-in-key") ? 1 : request->owner_id);
    parameters.begin_array(type_id::uuid, n);
    for (auto const* request : requests)
        parameters.append_bytes(request->key.bytes);
    auto const has_null =
        std::ranges::any_of(requests, [](auto const* r) { return !r->reference; });
    parameters.begin_array(type_id::text, n, has_null);
    for (auto const* request : requests)
        parameters.append_text(request->reference);
    if (batch.look_up)
    {
        parameters.begin_array(type_id::boolean, n);
        for (auto const* request : requests)
            parameters.append_boolean(request->contiguous);
    }
    if (std::ranges::none_of(requests, [](auto const* r) { return r->hold_seconds.has_value(); }))
    {
        parameters.add_null();
        return;
    }
    parameters.begin_array(type_id::int4, n, true);
    for (auto const* request : requests)
        parameters.append_int4(request->hold_seconds);
}

/// Request k starts where those before it end.
void read_plain(lane_batch const& batch, PGresult const* rows, batch_end& end)
{
    if (PQntuples(rows) == 0)
    {
        end.fate = batch_fate::not_plain;
        return;
    }
    auto const at = [&](int column) { return PQgetvalue(rows, 0, column); };
    issued_range range;
    range.block_id = read_int4(at(plain_column::block_id));
    range.serial = read_int8(at(plain_column::serial));
    range.ordinal = read_int8(at(plain_column::ordinal));

    issuance issued;
    issued.series_id = batch.series_id;
    issued.epoch = read_int4(at(plain_column::epoch));
    issued.issued_at = to_moment(at(plain_column::issued_at));

    end.answers.reserve(batch.requests.size());
    for (auto const* request : batch.requests)
    {
        range.count = request->count;
        auto& answer = end.answers.emplace_back(issued).value();
        answer.ranges.push_back(range);
        answer.reference = request->reference;
        answer.hold_seconds = request->hold_seconds;
        range.serial += request->count;
        range.ordinal += request->count;
        range.serial += seeded_bug("answer-off-by-one") ? 1 : 0;
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

/// Passes a failpoint of the middle of a batch: what was queued so far is sent and, as far as
/// anybody can tell, executed. True: drop the connection.
bool cut_at(PGconn* connection, char const* point)
{
    if (!failpoint_due(point))
        return false;
    constexpr std::chrono::milliseconds time_to_execute{50};
    PQsendFlushRequest(connection);
    PQflush(connection);
    std::this_thread::sleep_for(time_to_execute);
    return run_failpoint(point);
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

bool send_batch(PGconn* connection, lane_batch const& batch, binary_parameters& parameters)
{
    parameters.clear();
    parameters.add_int4(batch.series_id);
    constexpr int binary = 1;
    if (PQsendQueryPrepared(
            connection,
            "lock",
            parameters.count(),
            parameters.values(),
            parameters.lengths(),
            parameters.formats(),
            binary
        ) == 0 ||
        PQpipelineSync(connection) == 0)
        return false;
    if (cut_at(connection, "P5"))
        return false;

    fill_parameters(parameters, batch);
    return PQsendQueryPrepared(
               connection,
               batch.look_up ? "requests" : "plain",
               parameters.count(),
               parameters.values(),
               parameters.lengths(),
               parameters.formats(),
               binary
           ) != 0 &&
           !pass_failpoint("P6") && !cut_at(connection, "P7") && PQpipelineSync(connection) != 0 &&
           !pass_failpoint("P8") &&
           PQsendQueryPrepared(connection, "unlock", 0, nullptr, nullptr, nullptr, binary) != 0 &&
           PQpipelineSync(connection) != 0;
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
