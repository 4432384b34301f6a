#include "http/barcode_handlers.hpp"
#include "http/block_handlers.hpp"
#include "http/document_handlers.hpp"
#include "http/format_handlers.hpp"
#include "http/health_handlers.hpp"
#include "http/issuance_handlers.hpp"
#include "http/issue_handlers.hpp"
#include "http/number_handlers.hpp"
#include "http/route.hpp"
#include "http/series_handlers.hpp"

namespace gapless {

namespace {

using boost::beast::http::verb;

constexpr std::array<std::string_view, 1> listing_query{"numbers"};
constexpr std::array<std::string_view, 1> dry_run_query{"dry_run"};
constexpr std::array<std::string_view, 4> barcode_query{"dpi", "height_mm", "module", "text"};
constexpr std::array<std::string_view, 5> ledger_query{"after", "limit", "reference", "from", "to"};

// The format of the series has a say in what the query may be.
constexpr route barcode_route(std::string_view pattern, route_handler handle)
{
    return {verb::get, pattern, scope::read, body_size::none, barcode_query, handle, true};
}

// Matched from the top: the path of every label comes first.
constexpr std::array rows{
    route{
        verb::post,
        "/v1/series/{series}/numbers",
        scope::issue,
        body_size::usual,
        listing_query,
        post_numbers,
        /*takes_more_query=*/false,
        /*queued=*/true},
    route{
        verb::get, "/v1/issuances/{id}", scope::read, body_size::none, listing_query, get_issuance},
    route{
        verb::post,
        "/v1/issuances/{id}/confirm",
        scope::issue,
        body_size::large,
        listing_query,
        post_confirmation},
    route{
        verb::post,
        "/v1/issuances/{id}/release",
        scope::issue,
        body_size::large,
        listing_query,
        post_release},
    route{verb::post, "/v1/series/{series}/events", scope::issue, body_size::large, {}, post_event},
    route{
        verb::get,
        "/v1/series/{series}/numbers/{number}",
        scope::read,
        body_size::none,
        {},
        get_number},
    barcode_route("/v1/series/{series}/numbers/{number}/barcode.svg", get_barcode_svg),
    barcode_route("/v1/series/{series}/numbers/{number}/barcode.png", get_barcode_png),
    barcode_route("/v1/series/{series}/numbers/{number}/barcode.zpl", get_barcode_zpl),
    route{verb::get, "/v1/numbers/{number}", scope::read, body_size::none, {}, search_number},
    route{
        verb::get,
        "/v1/series/{series}/issuances",
        scope::read,
        body_size::none,
        ledger_query,
        get_ledger},
    route{verb::get, "/v1/series", scope::read, body_size::none, {}, get_all_series},
    route{verb::post, "/v1/series", scope::admin, body_size::usual, {}, post_series},
    route{verb::get, "/v1/series/{series}", scope::read, body_size::none, {}, get_series},
    route{verb::patch, "/v1/series/{series}", scope::admin, body_size::usual, {}, patch_series},
    route{verb::get, "/v1/series/{series}/blocks", scope::read, body_size::none, {}, get_blocks},
    route{
        verb::post,
        "/v1/series/{series}/blocks",
        scope::load,
        body_size::large,
        dry_run_query,
        post_block},
    route{
        verb::get, "/v1/series/{series}/blocks/{id}", scope::read, body_size::none, {}, get_block},
    route{verb::get, "/v1/verify/{series}", scope::read, body_size::none, {}, get_verification},
    route{verb::get, "/v1/formats", scope::read, body_size::none, {}, get_formats},
    route{verb::post, "/v1/formats", scope::admin, body_size::usual, {}, post_format},
    route{verb::get, "/v1/formats/{name}", scope::read, body_size::none, {}, get_format},
    route{verb::get, "/livez", std::nullopt, body_size::none, {}, get_liveness},
    route{verb::get, "/readyz", std::nullopt, body_size::none, {}, get_readiness},
    route{verb::get, "/metrics", std::nullopt, body_size::none, {}, get_metrics},
    route{verb::get, "/openapi.json", std::nullopt, body_size::none, {}, get_openapi},
    route{verb::get, "/", std::nullopt, body_size::none, {}, get_dashboard},
};

}  // namespace

std::span<route const> routes() noexcept
{
    return rows;
}

}  // namespace gapless
