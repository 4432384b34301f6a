#pragma once

#include "postgres/answer_store.hpp"
#include "postgres/transaction.hpp"
#include "record/operation.hpp"
#include "record/refused.hpp"

#include <memory>
#include <string>
#include <utility>

namespace gapless {

/// An operation and its input, in the form the record service and the CLI session run. The only
/// place that turns a thrown refusal into result<T>, which rolls the transaction back.
struct run_operation
{
    using answer = answered;

    operation const* wanted{};
    std::shared_ptr<void const> input;
    viewer sees{};
    series_entry const* series{};  // of the path, if it names one; must outlive this

    transaction_policy policy() const noexcept
    {
        if (wanted->locks_itself)
            return {.sees = isolation::read_committed};
        return {.turn = write_turn::together};
    }

    result<answered> run(pqxx::transaction_base& database, std::string const& actor = {}) const
    {
        return result_of([&] {
            answered made;
            wanted->run(database, input.get(), {caller{actor}, sees, series}, made);
            return made;
        });
    }
};

/// The same for an answer with a secret: it is stored without the secret, and a repeated key is
/// refused.
struct run_secret_operation : run_operation
{
    std::string repeated;  // may name {location}

    void leave_out_secret(answered& made) const { made.json = std::move(made.kept); }

    refusal refuse_repetition(kept_answer const& kept) const
    {
        auto const value_of = [&](std::string_view name) {
            return name == "location" ? std::optional{kept.location} : std::nullopt;
        };
        return {refusal_kind::state_conflict, fill_in(repeated, value_of)};
    }
};

}  // namespace gapless
