#pragma once

#include "base/refusal.hpp"
#include "http/exchange.hpp"
#include "postgres/answer_store.hpp"
#include "record/read.hpp"

#include <array>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace gapless {

/// Refuses with unsupported_media_type when there is a body and Content-Type is not
/// application/json (in UTF-8).
result<void> check_body_type(exchange const& current);

/// Refuses with unsupported_media_type when Content-Type is neither text/csv nor text/plain. Its
/// charset is ignored: the bytes tell.
result<void> check_csv_type(exchange const& current);

/// Reads a body into a record, storing its raw values in `values`.
result<void> read_body_into(
    exchange const& current, input_type const& type, std::span<raw_value> values, void* into
);

/// The same for a query.
result<void> read_query_into(
    exchange const& current, input_type const& type, std::span<raw_value> values, void* into
);

/// Reads the body of a request as an input record; no body counts as {}. Refuses like
/// check_body_type, read_object and the types of the fields.
template <record Record>
result<Record> read_body(exchange const& current)
{
    std::array<raw_value, field_count<Record>> values;
    Record made;
    if (auto read = read_body_into(current, input_of<Record>, values, &made); read.has_error())
        return std::move(read.error());
    return made;
}

/// The same for a body that may only be {}.
result<void> read_no_fields(exchange const& current);

/// Reads the query of a request as an input record. Refuses like the types of its fields.
template <record Record>
result<Record> read_query(exchange const& current)
{
    std::array<raw_value, field_count<Record>> values;
    Record made;
    if (auto read = read_query_into(current, input_of<Record>, values, &made); read.has_error())
        return std::move(read.error());
    return made;
}

/// Checks a client's reference; an empty one becomes none. Refuses with out_of_range beyond
/// reference_characters_max.
result<void> check_reference(std::optional<std::string>& reference);

/// The owner and key of a request, for requests that need no key; nullopt if there is no
/// Idempotency-Key. Refuses with malformed_request.
result<std::optional<request_identity>> read_identity(exchange const& current);

/// Takes over an answer that was rendered inside a transaction, now or when its key was new.
void write_kept(exchange& current, rendered_answer made);

}  // namespace gapless
