#pragma once

#include <array>
#include <string_view>

namespace gapless::test::authorization {

/// What is expected of a route: who may use it, and what then comes of it.
struct expectation
{
    std::string_view route;    // method and pattern
    std::string_view scope;    // "any": whatever the token may; empty: no token is asked for
    std::string_view body;     // of a request that is allowed
    std::string_view own;      // statuses, for the token's own series
    std::string_view foreign;  // problem, for a series of others and for a missing one
};

inline constexpr auto series = "unknown-series";
inline constexpr auto issuance = "unknown-issuance";
inline constexpr auto number = "unknown-number";
inline constexpr auto printed = R"({"kind":"printed","ranges":[{"first":"100","last":"100"}]})";
inline constexpr auto reason = R"({"reason":"wet"})";
inline constexpr auto new_token = R"({"name":"new","scopes":["read"],"series":["own"]})";
inline constexpr auto new_webhook = R"({"url":"https://receiver.invalid/","series":["own"]})";
inline constexpr auto block = R"({"first":"700","last":"799"})";

// Every route has its row: who adds a route says here who may use it.
inline constexpr std::array expectations{
    expectation{"POST /v1/series/{series}/numbers", "issue", "{}", "201", series},
    expectation{"GET /v1/issuances/{id}", "read", "", "200", issuance},
    expectation{"GET /v1/issuances/{id}/labels.zpl", "read", "", "200 409", issuance},
    expectation{"POST /v1/issuances/{id}/confirm", "issue", "{}", "200", issuance},
    expectation{"POST /v1/issuances/{id}/release", "issue", "{}", "409", issuance},
    expectation{"POST /v1/series/{series}/events", "issue", printed, "201 409", series},
    expectation{"GET /v1/series/{series}/numbers/{number}", "read", "", "200", series},
    expectation{"GET /v1/series/{series}/numbers/{number}/barcode.svg", "read", "", "200", series},
    expectation{"GET /v1/series/{series}/numbers/{number}/barcode.zpl", "read", "", "200", series},
    expectation{"GET /v1/numbers/{number}", "read", "", "200", number},
    expectation{"GET /v1/series/{series}/issuances", "read", "", "200", series},
    expectation{"GET /v1/series", "read", "", "200", ""},
    expectation{"POST /v1/series", "admin", R"({"name":"own","carrier":"c"})", "409", ""},
    expectation{"GET /v1/series/{series}", "read", "", "200", series},
    expectation{"PATCH /v1/series/{series}", "admin", R"({"paused":false})", "200", series},
    expectation{"GET /v1/series/{series}/consumption", "read", "", "200", series},
    expectation{"GET /v1/series/{series}/leases", "read", "", "200", series},
    expectation{"GET /v1/series/{series}/blocks", "read", "", "200", series},
    expectation{"POST /v1/series/{series}/blocks", "load", block, "201 409", series},
    expectation{"GET /v1/series/{series}/blocks/{id}", "read", "", "200", series},
    expectation{
        "POST /v1/series/{series}/blocks/{id}/move", "load", R"({"last":true})", "200 409", series},
    expectation{"POST /v1/series/{series}/blocks/{id}/close", "load", reason, "200 409", series},
    expectation{"POST /v1/series/{series}/blocks/{id}/withdraw", "load", reason, "200 409", series},
    expectation{"POST /v1/series/{series}/blocks/{id}/recall", "load", reason, "200 409", series},
    expectation{"GET /v1/carriers", "read", "", "200", ""},
    expectation{"GET /v1/carriers/{code}", "read", "", "200 404", ""},
    expectation{"PATCH /v1/carriers/{code}", "admin", "{}", "200 403 404", ""},
    expectation{"GET /v1/proposals", "load", "", "200", ""},
    expectation{"GET /v1/proposals/{id}", "load", "", "404", ""},
    expectation{"POST /v1/proposals/{id}/confirm", "load", "{}", "404", ""},
    expectation{"POST /v1/proposals/{id}/reject", "load", "{}", "404", ""},
    expectation{"POST /v1/series/{series}/reconcile", "read", "number\n100\n", "200", series},
    expectation{
        "POST /v1/series/{series}/manifests",
        "issue",
        R"({"date":"2026-01-01"})",
        "200 201",
        series},
    expectation{"GET /v1/series/{series}/manifests/{date}", "read", "", "200", series},
    expectation{"GET /v1/series/{series}/days/{date}", "read", "", "200", series},
    expectation{"GET /v1/holds", "read", "", "200", ""},
    expectation{"GET /v1/tokens", "admin", "", "200", ""},
    expectation{"POST /v1/tokens", "admin", new_token, "201 403", ""},
    expectation{"DELETE /v1/tokens/{id}", "admin", "", "404", ""},
    expectation{"GET /v1/audit", "admin", "", "403", ""},
    expectation{"GET /v1/notices", "read", "", "200", ""},
    expectation{"GET /v1/webhooks", "admin", "", "200", ""},
    expectation{"POST /v1/webhooks", "admin", new_webhook, "201", ""},
    expectation{"GET /v1/webhooks/{id}", "admin", "", "404", ""},
    expectation{"DELETE /v1/webhooks/{id}", "admin", "", "404", ""},
    expectation{"POST /v1/webhooks/{id}/rotate", "admin", "{}", "404", ""},
    expectation{"POST /v1/webhooks/{id}/retry", "admin", "{}", "404", ""},
    expectation{"POST /v1/webhooks/{id}/test", "admin", "{}", "404", ""},
    expectation{"POST /v1/session", "", R"({"token":"none"})", "401", ""},
    expectation{"GET /v1/session", "any", "", "200", ""},
    expectation{"DELETE /v1/session", "", "", "204", ""},
    expectation{"GET /v1/verify/{series}", "read", "", "200", series},
    expectation{"GET /v1/formats", "read", "", "200", ""},
    expectation{"POST /v1/formats", "admin", R"({"name":"own-9","number":"P{n:8}"})", "201", ""},
    expectation{"GET /v1/formats/{name}", "read", "", "200", ""},
    expectation{"GET /livez", "", "", "200", ""},
    expectation{"GET /readyz", "", "", "200", ""},
    expectation{"GET /metrics", "", "", "200", ""},
    expectation{"GET /openapi.json", "", "", "200", ""},
    expectation{"GET /problems/{name}", "", "", "404", ""},
    expectation{"GET /", "", "", "200", ""},
    expectation{"GET /page/{folder}/{file}", "", "", "404", ""},
};

}  // namespace gapless::test::authorization
