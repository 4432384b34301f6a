#pragma once

#include "domain/issuance_id.hpp"
#include "http/exchange.hpp"
#include "wire/issuance_json.hpp"

#include <boost/asio/awaitable.hpp>

#include <string_view>

namespace gapless {

/// GET /v1/issuances/{id} — the issuance as it was answered, with its present state; query and
/// Accept as where it is issued. 200; 404 unknown-issuance.
boost::asio::awaitable<result<void>> get_issuance(exchange& current);

/// POST /v1/issuances/{id}/confirm — the numbers of a hold are used: they are issued for good.
///
/// Body none, or {"ranges":[{"first","last"}]}: up to 10,000 runs of its numbers; without them, all
/// that is still held. Repeatable. 200 with the issuance; 404 unknown-issuance, unknown-number; 409
/// hold-expired, state-conflict.
boost::asio::awaitable<result<void>> post_confirmation(exchange& current);

/// POST /v1/issuances/{id}/release — the numbers of a hold are not used; body and answers as above.
boost::asio::awaitable<result<void>> post_release(exchange& current);

/// What is said of an id that names nothing, or nothing of this token's.
refusal unknown_issuance(issuance_id const& id);

/// Which numbers the query asks to list. Refuses with malformed_request.
result<listing> read_listing(exchange const& current);

/// Writes an issuance as the client wants it: JSON, or CSV. A long list of numbers becomes the rest
/// of the answer.
void write_issuance(
    exchange& current, series_entry const& series, shown_issuance const& shown, listing numbers
);

}  // namespace gapless
