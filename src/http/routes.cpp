#include "http/barcode_handlers.hpp"
#include "http/block_handlers.hpp"
#include "http/bodies.hpp"
#include "http/cookie_handlers.hpp"
#include "http/document_handlers.hpp"
#include "http/health_handlers.hpp"
#include "http/invoice_handlers.hpp"
#include "http/issuance_handlers.hpp"
#include "http/issue_handlers.hpp"
#include "http/label_handlers.hpp"
#include "http/ledger_handlers.hpp"
#include "http/manifest_handlers.hpp"
#include "http/notice_handlers.hpp"
#include "http/operation_handlers.hpp"
#include "http/route.hpp"
#include "http/token_handlers.hpp"
#include "http/verify_handlers.hpp"
#include "operation/operates.hpp"

namespace gapless {

namespace {

using boost::beast::http::verb;

constexpr std::array<std::string_view, 1> listing_query{"numbers"};
constexpr std::array<std::string_view, 1> readiness_query{"series"};
constexpr std::array<std::string_view, 2> load_parameters{"confirm_warnings", "dry_run"};
constexpr std::array<std::string_view, 3> invoice_query{"column", "from", "to"};
constexpr std::array<std::string_view, 4> notice_query{"after", "limit", "series", "kind"};
constexpr std::array<std::string_view, 4> barcode_query{"dpi", "height_mm", "module", "text"};
constexpr std::array<std::string_view, 7> ledger_query{
    "after", "limit", "reference", "from", "to", "block", "last"};

// The format of the series, or of the issuance's series, has a say in what the query may be.
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
        /*queued=*/true,
        &input_of<bodies::issue_request>},
    route{
        verb::get, "/v1/issuances/{id}", scope::read, body_size::none, listing_query, get_issuance},
    route{
        verb::post,
        "/v1/issuances/{id}/confirm",
        scope::issue,
        body_size::large,
        listing_query,
        post_confirmation,
        /*takes_more_query=*/false,
        /*queued=*/false,
        &input_of<bodies::settlement>},
    route{
        verb::post,
        "/v1/issuances/{id}/release",
        scope::issue,
        body_size::large,
        listing_query,
        post_release,
        /*takes_more_query=*/false,
        /*queued=*/false,
        &input_of<bodies::settlement>},
    barcode_route("/v1/issuances/{id}/labels.zpl", get_labels),
    barcode_route("/v1/series/{series}/numbers/{number}/barcode.svg", get_barcode_svg),
    barcode_route("/v1/series/{series}/numbers/{number}/barcode.png", get_barcode_png),
    barcode_route("/v1/series/{series}/numbers/{number}/barcode.zpl", get_barcode_zpl),
    route{
        verb::get,
        "/v1/series/{series}/issuances",
        scope::read,
        body_size::none,
        ledger_query,
        get_ledger},
    route{
        verb::post,
        "/v1/proposals/{id}/confirm",
        scope::load,
        body_size::usual,
        {},
        post_proposal_confirmation},
    route{
        verb::post,
        "/v1/series/{series}/reconcile",
        scope::read,
        body_size::invoice,
        invoice_query,
        post_reconciliation},
    route{
        verb::post,
        "/v1/series/{series}/manifests",
        scope::issue,
        body_size::usual,
        {},
        post_manifest,
        /*takes_more_query=*/false,
        /*queued=*/false,
        &input_of<bodies::manifest_draft>},
    route{
        verb::get,
        "/v1/series/{series}/manifests/{date}",
        scope::read,
        body_size::none,
        {},
        get_manifest},
    route{verb::delete_, "/v1/tokens/{id}", scope::admin, body_size::none, {}, delete_token},
    route{verb::get, "/v1/notices", scope::read, body_size::none, notice_query, get_notices},
    route{
        verb::post,
        "/v1/session",
        std::nullopt,
        body_size::usual,
        {},
        post_session,
        /*takes_more_query=*/false,
        /*queued=*/false,
        &input_of<bodies::session_draft>},
    route{
        .verb = verb::get,
        .pattern = "/v1/session",
        .handle = get_session,
        .answers = &detail::answer_of<bodies::session>},
    route{verb::delete_, "/v1/session", std::nullopt, body_size::none, {}, delete_session},
    route{
        .verb = verb::get,
        .pattern = "/v1/verify/{series}",
        .needs = scope::read,
        .handle = get_verification,
        .answers = &detail::answer_of<bodies::verification>},
    route{verb::get, "/livez", std::nullopt, body_size::none, {}, get_liveness},
    route{verb::get, "/readyz", std::nullopt, body_size::none, readiness_query, get_readiness},
    route{verb::get, "/metrics", std::nullopt, body_size::none, {}, get_metrics},
    route{verb::get, "/openapi.json", std::nullopt, body_size::none, {}, get_openapi},
    route{verb::get, "/", std::nullopt, body_size::none, {}, get_page},
    route{verb::get, "/page/{folder}/{file}", std::nullopt, body_size::none, {}, get_page_file},
};

// Behind the GET of its path: the field Allow names methods in the order of the rows.
constexpr route load_route{
    verb::post,
    "/v1/series/{series}/blocks",
    scope::load,
    body_size::large,
    load_parameters,
    post_block,
    /*takes_more_query=*/false,
    /*queued=*/false,
    &input_of<bodies::block_draft>};

/// The rows above, then those of the operations.
std::vector<route> make_routes()
{
    std::vector<route> all{rows.begin(), rows.end()};
    for (auto const* each : features())
        append_routes(all, *each);
    all.push_back(load_route);
    return all;
}

}  // namespace

std::span<route const> routes() noexcept
{
    static auto const all = make_routes();
    return all;
}

}  // namespace gapless
