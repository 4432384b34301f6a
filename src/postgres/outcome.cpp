#include "postgres/outcome.hpp"

#include "base/repeated_log.hpp"
#include "postgres/connection.hpp"

#include <pqxx/except>

#include <algorithm>
#include <array>

namespace gapless {

namespace {

using enum refusal_kind;

constexpr outcome_row says(std::string_view state, refusal_kind kind, std::string_view text = {})
{
    return {.state = state, .means = outcome_kind::refused, .refuses = kind, .text = text};
}

constexpr outcome_row passes(std::string_view state, outcome_kind means, std::string_view text = {})
{
    return {.state = state, .means = means, .refuses = database_unavailable, .text = text};
}

constexpr outcome_row troubles(
    std::string_view state, trouble_kind trouble, std::string_view text = {}
)
{
    return {
        .state = state,
        .means = outcome_kind::trouble,
        .refuses = database_unavailable,
        .trouble = trouble,
        .text = text};
}

/// Without the server's words: the parts of the schema are none of a client's business.
constexpr std::string_view schema_lacks{
    "the database lacks what this program calls; see: gapless migrate check"};

constexpr std::array rows{
    says("GL001", malformed_request),
    says("GL003", unauthenticated),
    says("GL004", forbidden),
    says("GL005", unknown_series),
    says("GL006", unknown_number),
    says("GL007", unknown_issuance),
    says("GL008", not_found),
    says("GL009", series_exhausted),
    says("GL010", not_contiguous),
    says("GL011", series_paused),
    says("GL012", hold_expired),
    says("GL013", block_overlap),
    says("GL014", state_conflict),
    says("GL015", precondition_failed),
    says("GL016", idempotency_key_reused),
    says("GL017", out_of_range),
    says("GL018", on_lease),
    says("GL019", fenced),
    troubles("GL020", trouble_kind::unsafe),
    says("GL021", overloaded),
    says("GL022", issuance_settled),
    outcome_row{
        .state = "42501",
        .means = outcome_kind::refused,
        .refuses = forbidden,
        .trouble = trouble_kind::not_our_schema,
        .text = "the database role is not allowed to do this: "},

    // From the command line alone: what HTTP reads is UTF-8.
    outcome_row{
        .state = "22021",
        .means = outcome_kind::refused,
        .refuses = malformed_request,
        .text = "text has to be UTF-8: "},

    passes("40001", outcome_kind::conflict),  // serialization_failure
    passes("40P01", outcome_kind::conflict),  // deadlock_detected
    // object_in_use, raised by our own SQL. 55P03 is different: a row is locked.
    passes("55006", outcome_kind::other_instance),
    passes("55P03", outcome_kind::locked, "a lock was not granted in time"),

    outcome_row{
        .state = "23505",
        .means = outcome_kind::key_spent,
        .refuses = idempotency_key_reused,
        .index = "key_is_spent_once",
        .columns = "(key, owner_id)="},
    outcome_row{
        .state = "23505",
        .means = outcome_kind::number_spent,
        .refuses = fenced,
        .index = "range_starts_once",
        .columns = "(series_id, turn, ordinal)="},
    outcome_row{.state = "23505", .means = outcome_kind::duplicate, .refuses = fenced},

    outcome_row{
        .state = "40003",
        .means = outcome_kind::in_doubt,
        .refuses = outcome_unknown,
        .text =
            "whether this was done is not known, since the COMMIT was cut short; repeat it with "
            "the same key, or look first if it has none"},

    troubles("3F000", trouble_kind::not_our_schema, schema_lacks),
    troubles("42P01", trouble_kind::not_our_schema, schema_lacks),
    troubles("42883", trouble_kind::not_our_schema, schema_lacks),
    // What was prepared is gone, or something else has its name.
    troubles("26000", trouble_kind::pooled, pooled_sessions),
    troubles("42P05", trouble_kind::pooled, pooled_sessions),
    troubles(
        "25006",
        trouble_kind::read_only,
        "the server is read-only: a standby, or a primary set to read-only"
    ),
    troubles("53100", trouble_kind::strained, "the disk of the database is full"),
    troubles("57014", trouble_kind::strained, "the server cancelled the statement: "),
    troubles("53", trouble_kind::strained),
    troubles("57", trouble_kind::strained),
    troubles(
        "08006", trouble_kind::disconnected, "the connection to the database was lost before COMMIT"
    ),
    troubles("08", trouble_kind::disconnected),
};

bool fits(outcome_row const& row, database_error const& error)
{
    if (row.state.size() == 2 ? !error.state.starts_with(row.state) : error.state != row.state)
        return false;
    return row.index.empty() || error.constraint.starts_with(row.index) ||
           error.detail.find(row.columns) != std::string::npos;
}

std::string text_of(outcome_row const& row, database_error const& error)
{
    if (row.text.empty())
        return error.message;
    return std::string{row.text} + (row.text.ends_with(": ") ? error.message : "");
}

/// libpq puts the severity, in the server's language, before the message, and adds lines to it.
std::string first_line(std::string_view text)
{
    text = text.substr(0, text.find('\n'));
    constexpr std::string_view ends_severity{":  "};
    auto const end = text.find(ends_severity);
    if (end != text.npos && text.find(' ') > end)
        text.remove_prefix(end + ends_severity.size());
    return std::string{text};
}

template <class Exception>
bool is(pqxx::failure const& failure) noexcept
{
    return dynamic_cast<Exception const*>(&failure) != nullptr;
}

/// The SQLSTATE of an exception; libpqxx 6.4.5 keeps it for some only.
std::string state_of(pqxx::failure const& failure, bool connection_stands)
{
    if (is<pqxx::in_doubt_error>(failure) || is<pqxx::statement_completion_unknown>(failure))
        return "40003";
    if (is<pqxx::serialization_failure>(failure))
        return "40001";
    if (is<pqxx::deadlock_detected>(failure))
        return "40P01";
    auto const* error = dynamic_cast<pqxx::sql_error const*>(&failure);
    if (is<pqxx::broken_connection>(failure) || (error != nullptr && !connection_stands))
        return "08006";
    if (is<pqxx::insufficient_privilege>(failure))
        return "42501";
    return error != nullptr ? error->sqlstate() : "";
}

}  // namespace

std::span<outcome_row const> outcome_table() noexcept
{
    return rows;
}

database_outcome to_outcome(database_error const& error)
{
    auto const row =
        std::ranges::find_if(rows, [&](auto const& each) { return fits(each, error); });
    if (row == rows.end())
        return {outcome_kind::unexpected, {database_unavailable, error.message}};
    return {row->means, {row->refuses, text_of(*row, error), {}, row->trouble}};
}

database_outcome to_outcome(pqxx::failure const& failure, bool connection_stands)
{
    return to_outcome(
        {.state = state_of(failure, connection_stands), .message = first_line(failure.what())}
    );
}

refusal to_service_refusal(refusal why)
{
    if (why.kind != forbidden || why.trouble == trouble_kind{})
        return why;
    log_failure("grant_lost", why.detail);
    return unavailable(
        trouble_kind::not_our_schema,
        "the service's database role lacks a right that it needs: gapless migrate up, and grant "
        "gapless_service to that role"
    );
}

refusal_kind refusal_of_sqlstate(std::string_view state) noexcept
{
    if (!state.starts_with("GL"))
        return refusal_kind{};
    auto const row = std::ranges::find(rows, state, &outcome_row::state);
    return row != rows.end() ? row->refuses : refusal_kind{};
}

bool is_of_session(trouble_kind trouble) noexcept
{
    return trouble == trouble_kind::pooled || trouble == trouble_kind::read_only ||
           trouble == trouble_kind::unsafe;
}

}  // namespace gapless
