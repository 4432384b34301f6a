#pragma once

#include "service/reserve_keeper.hpp"

#include <type_traits>
#include <utility>

/// The inside of the keeper; only reserve_pass.cpp and reserve_stock.cpp look at it.
namespace gapless {

/// Runs a step on the keeper's thread; a disk that fails is a refusal like others.
template <class Work>
auto reserve_keeper::run(Work work)
{
    auto guarded = [work = std::move(work)](pqxx::connection& connection
                   ) mutable -> std::invoke_result_t<Work&, pqxx::connection&> {
        try
        {
            return work(connection);
        }
        catch (lease_journal_failure const& failure)
        {
            return refusal{refusal_kind::state_conflict, failure.what()};
        }
        catch (journal_failure const& failure)
        {
            return refusal{refusal_kind::state_conflict, failure.what()};
        }
    };
    return thread_.run(std::move(guarded), work_order{.kind = work_kind::write});
}

}  // namespace gapless
