#pragma once

#include "base/csv_writer.hpp"
#include "http/exchange.hpp"
#include "record/describe.hpp"
#include "record/types.hpp"

#include <boost/asio/awaitable.hpp>

#include <optional>
#include <string>

namespace gapless::bodies {

struct manifest_draft
{
    std::string date;
};
GAPLESS_RECORD(
    manifest_draft,
    (),
    (date, "The day to close, in the database's time zone.", .example = R"("2026-11-20")")
)

/// Throws wrong_field if it is not a day.
void check(manifest_draft const& wanted);

}  // namespace gapless::bodies

namespace gapless::queries {

struct manifest_query
{
    std::optional<excel_language> excel;
};
GAPLESS_RECORD(
    manifest_query, (), (excel, "Of text/csv: for Excel in German or English, else for programs.")
)

}  // namespace gapless::queries

namespace gapless {

/// POST /v1/series/{series}/manifests {"date"}: closes a day of the database's time zone. 201, or
/// 200 for a day closed before, with its numbers; 422 for a day in the future. CSV with one number
/// per line, if Accept requests it.
boost::asio::awaitable<result<void>> post_manifest(exchange& current);

/// GET /v1/series/{series}/manifests/{date}: the same for a closed day; else 404.
boost::asio::awaitable<result<void>> get_manifest(exchange& current);

}  // namespace gapless
