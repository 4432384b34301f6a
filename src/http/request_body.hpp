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
/// charset is not asked: the bytes tell.
result<void> check_csv_type(exchange const& current);

/// Reads a body into a record, whose raw values have their place in `values`.
result<void> read_body_into(
    exchange const& current, input_type const& type, std::span<raw_value> values, void* into
);

/// The same of a query.
result<void> read_query_into(
    exchange const& current, input_type const& type, std::span<raw_value> values, void* into
);

/// Reads the body of a request as an input record; no body at all counts as {}. Refuses as
/// check_body_type, read_object and the types of the fields do.
template <record Record>
result<Record> read_body(exchange const& current)
{
    std::array<raw_value, field_count<Record>> values;
    Record made;
    if (auto read = read_body_into(current, input_of<Record>, values, &made); read.has_error())
        return std::move(read.error());
    return made;
}

/// The same of a body that may only be {}.
result<void> read_no_fields(exchange const& current);

/// Reads the query of a request as an input record. Refuses as the types of its fields do.
template <record Record>
result<Record> read_query(exchange const& current)
{
    std::array<raw_value, field_count<Record>> values;
    Record made;
    if (auto read = read_query_into(current, input_of<Record>, values, &made); read.has_error())
        return std::move(read.error());
    return made;
}

/// A reference as clients may send it; an empty one is none. Refuses with out_of_range beyond
/// reference_characters_max.
result<void> check_reference(std::optional<std::string>& reference);

/// Whose request under which key, for requests that need no key; none when there is no
/// Idempotency-Key. Refuses with malformed_request.
result<std::optional<request_identity>> read_identity(exchange const& current);

/// Takes over an answer that was rendered inside a transaction, now or when its key was new.
void write_kept(exchange& current, rendered_answer made);

}  // namespace gapless
