#include "store/batch_protocol.hpp"

/// What it means for a batch that PostgreSQL refused it.
namespace gapless {

namespace {

void fail(batch_end& end, refusal why)
{
    end.fate = batch_fate::failed;
    end.unfit = is_of_session(why.trouble);
    end.why = std::move(why);
}

/// What is about to leave is in the ledger already, or the look-up did not help. Nothing may leave
/// here until somebody has looked.
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

void read_error(lane_batch const& batch, PGresult const* result, batch_end& end)
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
        // Looked up: spent since then.
        end.fate = batch.look_up ? batch_fate::conflict : batch_fate::not_plain;
        return;
    case outcome_kind::duplicate:
        if (batch.look_up)
            return accuse(end, error);
        end.fate = batch_fate::not_plain;  // a key most likely, whatever the index is called
        return;
    case outcome_kind::number_spent: return accuse(end, error);
    case outcome_kind::refused:
    case outcome_kind::trouble:
    case outcome_kind::unexpected: return fail(end, std::move(met.why));
    }
}

}  // namespace gapless
