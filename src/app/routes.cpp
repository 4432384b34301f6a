#include "app/routes.hpp"

#include "access/cookie_handlers.hpp"
#include "access/token_handlers.hpp"
#include "app/document_handlers.hpp"
#include "app/health_handlers.hpp"
#include "blocks/block_handlers.hpp"
#include "http/operation_handlers.hpp"
#include "invoices/invoice_handlers.hpp"
#include "invoices/invoice_text.hpp"
#include "labels/barcode_handlers.hpp"
#include "labels/label_handlers.hpp"
#include "ledger/ledger_handlers.hpp"
#include "ledger/manifest_handlers.hpp"
#include "notices/notice_handlers.hpp"
#include "numbers/issuance_handlers.hpp"
#include "numbers/issue_handlers.hpp"
#include "proof/verify_handlers.hpp"
#include "record/operates.hpp"

#include <deque>

namespace gapless {

namespace {

using boost::beast::http::verb;

// The format of the series, or of the issuance's series, determines which query is allowed.
constexpr route barcode_route(std::string_view pattern, route_handler handle)
{
    return {
        .verb = verb::get,
        .pattern = pattern,
        .needs = scope::read,
        .handle = handle,
        .takes_more_query = true,
        .asks = &input_of<queries::barcode_query>};
}

// Matched from the top: the path of every label must come first.
constexpr std::array rows{
    route{
        .verb = verb::post,
        .pattern = "/v1/series/{series}/numbers",
        .needs = scope::issue,
        .body = body_size::usual,
        .handle = post_numbers,
        .without_place = true,
        .asks = &input_of<queries::issuance_query>,
        .reads = &input_of<bodies::issue_request>},
    route{
        .verb = verb::get,
        .pattern = "/v1/issuances/{id}",
        .needs = scope::read,
        .handle = get_issuance,
        .asks = &input_of<queries::issuance_query>},
    route{
        .verb = verb::post,
        .pattern = "/v1/issuances/{id}/confirm",
        .needs = scope::issue,
        .body = body_size::large,
        .handle = post_confirmation,
        .asks = &input_of<queries::issuance_query>,
        .reads = &input_of<bodies::settlement>},
    route{
        .verb = verb::post,
        .pattern = "/v1/issuances/{id}/release",
        .needs = scope::issue,
        .body = body_size::large,
        .handle = post_release,
        .asks = &input_of<queries::issuance_query>,
        .reads = &input_of<bodies::settlement>},
    barcode_route("/v1/issuances/{id}/labels.zpl", get_labels),
    barcode_route("/v1/series/{series}/numbers/{number}/barcode.svg", get_barcode_svg),
    barcode_route("/v1/series/{series}/numbers/{number}/barcode.zpl", get_barcode_zpl),
    route{
        .verb = verb::get,
        .pattern = "/v1/series/{series}/issuances",
        .needs = scope::read,
        .handle = get_ledger,
        .asks = &input_of<queries::ledger_query>},
    route{
        .verb = verb::post,
        .pattern = "/v1/proposals/{id}/confirm",
        .needs = scope::load,
        .body = body_size::usual,
        .handle = post_proposal_confirmation},
    route{
        .verb = verb::post,
        .pattern = "/v1/series/{series}/reconcile",
        .needs = scope::read,
        .body = body_size::invoice,
        .handle = post_reconciliation,
        .asks = &input_of<queries::invoice_query>,
        .answers = &detail::answer_of<bodies::reconciliation>},
    route{
        .verb = verb::post,
        .pattern = "/v1/series/{series}/manifests",
        .needs = scope::issue,
        .body = body_size::usual,
        .handle = post_manifest,
        .asks = &input_of<queries::manifest_query>,
        .reads = &input_of<bodies::manifest_draft>},
    route{
        .verb = verb::get,
        .pattern = "/v1/series/{series}/manifests/{date}",
        .needs = scope::read,
        .handle = get_manifest,
        .asks = &input_of<queries::manifest_query>},
    route{
        .verb = verb::delete_,
        .pattern = "/v1/tokens/{id}",
        .needs = scope::admin,
        .handle = delete_token},
    route{
        .verb = verb::get,
        .pattern = "/v1/notices",
        .needs = scope::read,
        .handle = get_notices,
        .without_place = true,
        .asks = &input_of<queries::notice_query>},
    route{
        .verb = verb::post,
        .pattern = "/v1/session",
        .body = body_size::usual,
        .handle = post_session,
        .reads = &input_of<bodies::session_draft>},
    route{
        .verb = verb::get,
        .pattern = "/v1/session",
        .handle = get_session,
        .answers = &detail::answer_of<bodies::session>},
    route{.verb = verb::delete_, .pattern = "/v1/session", .handle = delete_session},
    route{
        .verb = verb::get,
        .pattern = "/v1/verify/{series}",
        .needs = scope::read,
        .handle = get_verification,
        .answers = &detail::answer_of<bodies::verification>},
    route{.verb = verb::get, .pattern = "/livez", .handle = get_liveness},
    route{
        .verb = verb::get,
        .pattern = "/readyz",
        .handle = get_readiness,
        .asks = &input_of<queries::readiness_query>},
    route{.verb = verb::get, .pattern = "/metrics", .handle = get_metrics},
    route{.verb = verb::get, .pattern = "/openapi.json", .handle = get_openapi},
    route{.verb = verb::get, .pattern = "/problems/{name}", .handle = get_problem},
    route{.verb = verb::get, .pattern = "/", .handle = get_page},
    route{.verb = verb::get, .pattern = "/page/{folder}/{file}", .handle = get_page_file},
};

// After the GET of its path: Allow lists methods in the order of the rows.
constexpr route load_route{
    .verb = verb::post,
    .pattern = "/v1/series/{series}/blocks",
    .needs = scope::load,
    .body = body_size::large,
    .handle = post_block,
    .takes_csv = true,
    .asks = &input_of<queries::load_query>,
    .reads = &input_of<bodies::block_draft>};

/// The query parameters that a row allows.
std::span<input_field const> query_fields_of(route const& row)
{
    if (row.asks)
        return row.asks->fields;
    if (row.does && row.body == body_size::none)
        return row.does->input->fields.subspan(row.does->path_fields());
    return {};
}

/// The rows above, then those of the operations.
std::vector<route> make_routes()
{
    std::vector<route> all{rows.begin(), rows.end()};
    for (auto const* each : features())
        append_routes(all, *each);
    all.push_back(load_route);
    static std::deque<std::vector<std::string_view>> names;  // kept, as routes refer to them
    for (auto& each : all)
    {
        auto& known = names.emplace_back();
        for (auto const& field : query_fields_of(each))
            known.push_back(field.name);
        each.query = known;
    }
    return all;
}

}  // namespace

std::span<route const> routes() noexcept
{
    static auto const all = make_routes();
    return all;
}

}  // namespace gapless
