#include "issuing/batch_protocol.hpp"

#include "base/contract.hpp"
#include "base/repeated_log.hpp"
#include "issuing/issue_statements.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace gapless {

namespace {

// Not calls of our own functions. 28263 is "gn" in ASCII, to keep clear of other applications'
// advisory locks.
constexpr char const* lock_text{"select pg_advisory_lock(28263, $1)"};
constexpr char const* unlock_text{"select pg_advisory_unlock_all()"};

issued_row read_row(issue_statement const& statement, PGresult const* rows, int n)
{
    issued_row row;
    int at = 0;
    for (auto const& column : statement.columns)
    {
        if (PQgetisnull(rows, n, at) == 0)
            column.read(row, PQgetvalue(rows, n, at));
        ++at;
    }
    return row;
}

std::vector<issued_row> read_rows(issue_statement const& statement, PGresult const* rows)
{
    std::vector<issued_row> all;
    all.reserve(static_cast<std::size_t>(PQntuples(rows)));
    for (int n = 0; n < PQntuples(rows); ++n)
        all.push_back(read_row(statement, rows, n));
    return all;
}

/// The row that says where the requests of a series start; null: the series was left out.
issued_row const* start_of(
    batch_to_issue const& batch, std::vector<issued_row> const& starts, std::int32_t series_id
)
{
    if (batch.series_id)
        return &starts.front();
    auto const found = std::ranges::find(starts, series_id, &issued_row::series_id);
    return found != starts.end() ? &*found : nullptr;
}

/// Requests of one series are adjacent: each starts where the one before ends.
void read_plain(batch_to_issue const& batch, std::vector<issued_row> const& starts, batch_end& end)
{
    if (starts.empty())
    {
        end.fate = batch_fate::not_plain;
        return;
    }
    issuance issued;
    issued_range range;
    issued_row const* start = nullptr;
    end.answers.reserve(batch.requests.size());
    for (auto const* request : batch.requests)
    {
        if (request->series_id != issued.series_id)
        {
            issued.series_id = request->series_id;
            start = start_of(batch, starts, request->series_id);
            if (start == nullptr)
                end.left_out.push_back(request->series_id);
            else
            {
                range = {
                    .block_id = start->block_id,
                    .serial = start->serial,
                    .ordinal = start->ordinal};
                issued.epoch = start->epoch;
                issued.issued_at = start->issued_at;
            }
        }
        if (start == nullptr)
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

void read_part(issued_row const& row, issue_request const& request, issuance& issued)
{
    issued.series_id = request.series_id;
    issued.epoch = row.epoch;
    issued.issued_at = row.issued_at;
    issued.replayed = row.replayed;
    issued.reserve = row.detail == "reserve";
    // A reference erased since then is not returned, although this client knows it.
    issued.reference_erased = row.reference_erased;
    if (!issued.reference_erased)
        issued.reference = request.reference;
    issued.hold_seconds = request.hold_seconds;
    issued.parts.push_back(
        {{.block_id = row.block_id,
          .count = row.count,
          .serial = row.serial,
          .ordinal = row.ordinal,
          .turn = row.turn},
         row.fate}
    );
}

std::int64_t sum_of(std::vector<issuance_part> const& parts) noexcept
{
    std::int64_t sum = 0;
    for (auto const& part : parts)
        sum += part.range.count;
    return sum;
}

void read_requests(batch_to_issue const& batch, std::vector<issued_row> const& rows, batch_end& end)
{
    end.answers.assign(batch.requests.size(), issuance{});
    for (auto const& row : rows)
    {
        auto const n = static_cast<std::size_t>(row.request) - 1;
        ensure(n < batch.requests.size(), "an answer belongs to a request");
        end.replayed = end.replayed || row.replayed || !row.outcome.empty();
        if (row.outcome.empty())
        {
            read_part(row, *batch.requests[n], end.answers[n].value());
            continue;
        }
        auto const kind = refusal_of_sqlstate(row.outcome);
        ensure(kind != refusal_kind{}, "SQL refuses with a state of class GL");
        end.answers[n] = refusal{kind, row.detail};
    }
    // The last check before anybody prints a label: exactly what was asked for, or a refusal.
    // Numbers that are gone by now were part of what was asked for, too.
    for (std::size_t n = 0; n < end.answers.size(); ++n)
    {
        if (end.answers[n].has_error())
            continue;
        auto& issued = end.answers[n].value();
        ensure(
            sum_of(issued.parts) == batch.requests[n]->count,
            "an issuance holds exactly the numbers asked for"
        );
        set_parts(issued, std::exchange(issued.parts, {}));
        ensure(
            issued.replayed || issued.parts.empty(),
            "nothing happened to numbers that are issued now"
        );
    }
}

/// Returns what went wrong, or nothing.
std::optional<refusal> prepare(
    PGconn* connection, char const* name, std::string const& text, std::vector<Oid> const& types
)
{
    result_pointer const prepared{
        PQprepare(connection, name, text.c_str(), static_cast<int>(types.size()), types.data())};
    if (PQresultStatus(prepared.get()) == PGRES_COMMAND_OK)
        return std::nullopt;
    return to_outcome(read_database_error(prepared.get())).why;
}

void fail(batch_end& end, refusal why)
{
    end.fate = batch_fate::failed;
    end.unfit = is_of_session(why.trouble);
    end.why = to_service_refusal(std::move(why));
}

/// The database is at fault, not a request: the log says why.
void refuse(batch_end& end, refusal why)
{
    log_failure("issuing_refused", why.detail);
    fail(end, std::move(why));
}

/// A number about to be issued is in the ledger already. Nothing may be issued here until somebody
/// has looked into it.
void accuse(batch_end& end, database_error const& error)
{
    end.fate = batch_fate::failed;
    end.accuses = true;
    end.why = {
        refusal_kind::fenced,
        "a number was about to leave a second time (" + error.constraint + "): " + error.message +
            "; see: gapless verify"};
}

}  // namespace

std::optional<refusal> prepare_statements(PGconn* connection)
{
    if (auto why = prepare(connection, "lock", lock_text, {type_id::int4}))
        return why;
    if (auto why = prepare(connection, "unlock", unlock_text, {}))
        return why;
    for (auto const& statement : issue_statements())
        if (auto why =
                prepare(connection, statement.name, to_text(statement), sent_types(statement)))
            return why;
    return std::nullopt;
}

bool send_batch(pipeline& wire, batch_to_issue const& batch, binary_parameters& parameters)
{
    auto const lock = batch.manners == courtesy::lock;
    if (lock)
    {
        parameters.clear();
        parameters.add_int4(only_series(batch));
        if (!wire.send("lock", parameters) || !wire.sync())
            return false;
    }
    auto const& statement = statement_for(batch);
    fill_parameters(parameters, statement, batch);
    if (!wire.send(statement.name, parameters) || !wire.sync())
        return false;
    if (!lock)
        return true;
    parameters.clear();
    return wire.send("unlock", parameters) && wire.sync();
}

batch_end read_batch_result(batch_to_issue const& batch, PGresult const* result)
{
    batch_end end;
    end.id = batch.id;
    end.fate = batch_fate::done;
    if (PQresultStatus(result) != PGRES_TUPLES_OK)
    {
        read_error(batch, result, end);
        return end;
    }
    auto const rows = read_rows(statement_for(batch), result);
    if (batch.look_up)
        read_requests(batch, rows, end);
    else
        read_plain(batch, rows, end);
    return end;
}

// What PostgreSQL's refusal of a batch means.

void read_error(batch_to_issue const& batch, PGresult const* result, batch_end& end)
{
    auto const error = read_database_error(result);
    auto met = to_outcome(error);
    switch (met.kind)
    {
    case outcome_kind::locked: end.fate = batch_fate::locked; return;
    case outcome_kind::other_instance: end.contested = true; [[fallthrough]];
    case outcome_kind::conflict: end.fate = batch_fate::conflict; return;
    case outcome_kind::in_doubt: end.fate = batch_fate::unknown; return;
    case outcome_kind::key_spent:
        // If the keys were looked up, this one was spent after that; the others are new.
        end.key_spent = !batch.look_up || batch.requests.size() == 1;
        end.fate = batch.look_up ? batch_fate::conflict : batch_fate::not_plain;
        return;
    case outcome_kind::duplicate:
        if (batch.look_up)
            return refuse(
                end,
                unavailable(
                    trouble_kind::strained,
                    "the index " + error.constraint +
                        ", which gapless does not have, refuses the number; find it, and drop it"
                )
            );
        end.key_spent = true;  // perhaps, under another index name
        end.fate = batch_fate::not_plain;
        return;
    case outcome_kind::number_spent: return accuse(end, error);
    case outcome_kind::refused:
        // The whole batch is refused: its series is behind what is known to have been issued.
        end.accuses = met.why.kind == refusal_kind::fenced;
        return fail(end, std::move(met.why));
    case outcome_kind::trouble: return refuse(end, std::move(met.why));
    case outcome_kind::unexpected:
        end.unexpected = true;
        refuse(end, std::move(met.why));
        end.why.detail = "the database met an unexpected error: the event issuing_refused in the "
                         "log says which";
    }
}

}  // namespace gapless
