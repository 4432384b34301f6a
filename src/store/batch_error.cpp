#include "domain/refusal.hpp"
#include "store/batch_protocol.hpp"

#include <string>
#include <string_view>

/// What it means for a batch that PostgreSQL refused it.
namespace gapless {

namespace {

/// What a session says from now on to every batch: it or its server is not safe to issue, may not
/// write, or has forgotten the prepared statements. A new one is set up and looked at anew.
bool is_of_an_unfit_session(std::string_view state)
{
    return state == "GL020" || state == "25006" || state == "26000";
}

/// Whether a unique index that refused rows is the one of idempotency keys. Told by its columns:
/// REINDEX CONCURRENTLY and pg_repack let it refuse under other names for a while.
bool is_of_keys(std::string_view name, std::string_view detail)
{
    return name.starts_with("key_is_spent_once") || detail.find("(key, owner_id)=") != detail.npos;
}

/// The same of the index that knows where each range starts.
bool is_of_ranges(std::string_view name, std::string_view detail)
{
    return name.starts_with("range_starts_once") ||
           detail.find("(series_id, turn, ordinal)=") != detail.npos;
}

// object_in_use, raised by our own SQL: another instance issues from the series. Not 55P03, which
// says that a row is locked.
constexpr std::string_view another_instance{"55006"};

}  // namespace

void read_error(lane_batch const& batch, PGresult const* error, batch_end& end)
{
    auto const field = [&](int code) {
        auto const* text = PQresultErrorField(error, code);
        return std::string{text != nullptr ? text : ""};
    };
    auto const state = field(PG_DIAG_SQLSTATE);
    auto const message = field(PG_DIAG_MESSAGE_PRIMARY);
    auto const constraint = field(PG_DIAG_CONSTRAINT_NAME);
    auto const detail = field(PG_DIAG_MESSAGE_DETAIL);
    if (state == "55P03")
        end.fate = batch_fate::locked;
    else if (state == "40001" || state == "40P01" || state == another_instance)
    {
        end.fate = batch_fate::conflict;
        end.contested = state == another_instance;
    }
    else if (state == "23505" && batch.look_up && is_of_keys(constraint, detail))
        end.fate = batch_fate::conflict;  // spent since we looked
    else if (state == "23505" && !batch.look_up && !is_of_ranges(constraint, detail))
        end.fate = batch_fate::not_plain;  // a key most likely, whatever the index is called
    else if (state == "23505")
    {
        // What is about to leave is in the ledger already, or the look-up did not help. Nothing may
        // leave here until somebody has looked.
        end.fate = batch_fate::failed;
        end.accuses = true;
        end.why = {
            refusal_kind::fenced,
            "a number was about to leave a second time (" + constraint + "): " + message +
                "; see: gapless verify"};
    }
    else
    {
        end.fate = batch_fate::failed;
        end.unfit = is_of_an_unfit_session(state);
        auto const kind = refusal_of_sqlstate(state);
        end.why = {kind != refusal_kind{} ? kind : refusal_kind::database_unavailable, message};
        if (state == "53100")
            end.why.detail = "the disk of the database is full";
    }
}

}  // namespace gapless
