#pragma once

#include "issuing/binary_parameters.hpp"
#include "issuing/issue_connection.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// The SQL functions that the connection calls, each described once: the prepared text, the
/// parameter types, what is sent and how rows are read all follow from the description.
namespace gapless {

/// What a batch requests of one series.
struct series_total
{
    std::int32_t series_id{};
    std::int64_t count{};
};

/// A batch, as its parameters are written.
struct batch_view
{
    batch_to_issue const& batch;
    std::vector<series_total> totals;  // in the order of series_id; only for a batch of several
};

/// A parameter of a function.
struct statement_parameter
{
    std::string_view name;                                   // as the function declares it
    unsigned type{};                                         // of pg_type
    std::string_view literal{};                              // written into the text; empty: sent
    void (*write)(binary_parameters&, batch_view const&){};  // adds it; null for a literal
};

/// A row of any of the functions; each fills in its own columns. Null leaves the default.
struct issued_row
{
    std::int32_t request{};  // of the batch, from 1
    std::string outcome;     // SQLSTATE of a refusal; empty: none
    std::string detail;
    bool replayed{};
    bool reference_erased{};
    std::int32_t series_id{};
    std::int32_t turn{};
    std::int64_t ordinal{};
    std::int64_t serial{};
    std::int32_t count{};
    std::int32_t block_id{};
    std::int32_t epoch{};
    database_time issued_at{};
    std::string fate;  // of a spent key's numbers; empty: still as issued
};

/// A column of a function's result.
struct issue_column
{
    std::string_view name;  // as the function declares it
    unsigned type{};        // of pg_type
    void (*read)(issued_row&, char const*){};
};

struct issue_statement
{
    char const* name;  // under which it is prepared
    std::string_view function;
    std::span<statement_parameter const> parameters;
    std::span<issue_column const> columns;
};

/// All of them.
std::span<issue_statement const> issue_statements() noexcept;

/// The statement that takes such a batch.
issue_statement const& statement_for(batch_to_issue const& batch) noexcept;

/// The series of a batch of one series.
std::int32_t only_series(batch_to_issue const& batch);

/// select … from function(name => $1, …): parameters by name, so that none can be confused with its
/// neighbour.
std::string to_text(issue_statement const& statement);

/// The types of the parameters that are sent, in the order of the text.
std::vector<unsigned> sent_types(issue_statement const& statement);

/// Fills in the parameters of a statement from a batch.
void fill_parameters(
    binary_parameters& parameters, issue_statement const& statement, batch_to_issue const& batch
);

}  // namespace gapless
