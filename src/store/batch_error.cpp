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

}  // namespace

void read_error(lane_batch const& batch, PGresult const* error, batch_end& end)
{
    auto const field = [&](int code) {
        auto const* text = PQresultErrorField(error, code);
        return std::string{text != nullptr ? text : ""};
    };
    auto const state = field(PG_DIAG_SQLSTATE);
    auto const message = field(PG_DIAG_MESSAGE_PRIMARY);
    if (state == "40001" || state == "40P01" || state == "55P03")
    {
        end.fate = batch_fate::conflict;
        end.contested = state == "55P03";
    }
    else if (state == "23505" && field(PG_DIAG_CONSTRAINT_NAME) == "key_is_spent_once")
        end.fate = batch.look_up ? batch_fate::conflict : batch_fate::not_plain;
    else if (state == "23505")
    {
        // Any other unique key: what is about to leave is in the ledger already. Nothing may leave
        // here until somebody has looked.
        end.fate = batch_fate::failed;
        end.accuses = true;
        end.why = {
            refusal_kind::fenced,
            "a number was about to leave a second time (" + field(PG_DIAG_CONSTRAINT_NAME) +
                "): " + message + "; see: gapless verify"};
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
