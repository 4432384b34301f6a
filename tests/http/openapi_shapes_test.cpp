#include "cases/invoice_text.hpp"
#include "http/http_fixture.hpp"
#include "http/openapi_document.hpp"
#include "http/route.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace openapi_shapes_test {

using namespace gapless;
using namespace gapless::test;
using nlohmann::json;

bool is_of_type(json const& value, std::string const& type)
{
    return (type == "null" && value.is_null()) || (type == "string" && value.is_string()) ||
           (type == "boolean" && value.is_boolean()) ||
           (type == "integer" && value.is_number_integer()) ||
           (type == "array" && value.is_array()) || (type == "object" && value.is_object());
}

bool is_of_some_type(json const& value, json const& types)
{
    if (types.is_string())
        return is_of_type(value, types);
    return std::ranges::any_of(types, [&](json const& type) { return is_of_type(value, type); });
}

std::string difference(json const& value, json const& schema, std::string const& where);

std::string difference_of_members(json const& value, json const& schema, std::string const& where)
{
    for (auto const& name : schema.value("required", json::array()))
        if (!value.contains(name.get<std::string>()))
            return where + " lacks " + name.get<std::string>();
    if (!schema.contains("properties"))
        return {};
    for (auto const& [name, member] : value.items())
    {
        if (!schema.at("properties").contains(name))
            return where + " has " + name + ", of which the document knows nothing";
        auto const found = difference(member, schema["properties"][name], where + '.' + name);
        if (!found.empty())
            return found;
    }
    return {};
}

/// Where a value differs from its schema, as far as the document uses JSON Schema for answers;
/// empty: nowhere.
std::string difference(json const& value, json const& schema_or_reference, std::string const& where)
{
    auto const& schema = resolve(schema_or_reference);
    if (schema.contains("oneOf") && std::ranges::none_of(schema["oneOf"], [&](json const& one) {
            return difference(value, one, where).empty();
        }))
        return where + " is none of its schemas: " + value.dump();
    if (schema.contains("type") && !is_of_some_type(value, schema["type"]))
        return where + " is of another type: " + value.dump();
    if (schema.contains("enum") && std::ranges::find(schema["enum"], value) == schema["enum"].end())
        return where + " has another value: " + value.dump();
    if (value.is_array() && schema.contains("items"))
        for (auto const& item : value)
            if (auto const found = difference(item, schema["items"], where + "[]"); !found.empty())
                return found;
    return value.is_object() ? difference_of_members(value, schema, where) : std::string{};
}

/// An answer with a finding of each half, as the use case writes it.
std::string invoice_answer()
{
    std::string text;
    invoice_text writer{{.json = true, .csv = {}, .findings_max = 0}};
    invoice_columns columns;
    columns.name = "Nummer";
    columns.amount_name = "Betrag";
    writer.begin(text, columns);
    writer.append(text, {bill_fault::billed_twice, "7", 3, amount{12, 500'000, 2}, "also"});
    writer.append(text, {bill_fault::never_billed, "8", 0, {}, "it is printed"});
    bill_summary summary;
    summary.charged[4] = amount{12, 500'000, 2};
    writer.end(text, summary);
    return text;
}

/// Where the examples of a body are missing or differ from its schema; empty: nowhere. Pictures,
/// pages and the document itself are no examples.
std::string wrong_examples(json const& described, std::string const& where)
{
    auto const content = resolve(described).value("content", json::object());
    for (auto const& [kind, media] : content.items())
    {
        if (kind.starts_with("image/") || kind == "text/html" || where == "readInterface 200")
            continue;
        if (!media.contains("example"))
            return where + " has no example of " + kind;
        if (auto const found = difference(media["example"], media["schema"], where); !found.empty())
            return found;
    }
    return {};
}

struct shapes_fixture : http_fixture
{
    /// Compares an answer with what the document says of `operation`, "get /v1/series".
    std::string compare(raw_answer const& answer, std::string const& operation)
    {
        auto const space = operation.find(' ');
        auto const& described =
            openapi().at("paths").at(operation.substr(space + 1)).at(operation.substr(0, space));
        auto const& response = resolve(described.at("responses").at(std::to_string(answer.status)));
        auto const& content = response.at("content").at(answer.field("content-type"));
        return difference(json::parse(answer.whole_body), content.at("schema"), "answer");
    }
};

TEST_SUITE("http/openapi_shapes")
{
    TEST_CASE_FIXTURE(shapes_fixture, "series and blocks have the shape the document gives them")
    {
        CHECK(compare(ask(request("GET /v1/series")), "get /v1/series") == "");
        service.records[0].low_water = 5;
        service.records[0].ahead = forecast{.per_day = 12.5, .order_by = std::chrono::sys_days{}};
        service.records[0].params["a"] = "b";
        CHECK(compare(ask(request("GET /v1/series/dhl-paket")), "get /v1/series/{series}") == "");
        service.records[0].reserve_numbers = 500;
        service.records[0].used_a_day = 100;
        CHECK(compare(ask(request("GET /v1/series/dhl-paket")), "get /v1/series/{series}") == "");
        service.used_days = {5, 0};
        auto const use = ask(request("GET /v1/series/dhl-paket/consumption"));
        CHECK(compare(use, "get /v1/series/{series}/consumption") == "");
        auto const load = [this](std::string_view query) {
            return compare(
                ask("POST /v1/series/dhl-paket/blocks" + std::string{query},
                    "",
                    R"({"first":"4901214213505250000","last":"4901214213505500000"})"),
                "post /v1/series/{series}/blocks"
            );
        };
        CHECK(load("") == "");
        CHECK(load("?dry_run=true") == "");
        auto const created = ask("POST /v1/series", "", R"({"name":"new","carrier":"dhl"})");
        CHECK(compare(created, "post /v1/series") == "");
    }

    TEST_CASE_FIXTURE(shapes_fixture, "issuances have the shape the document gives them")
    {
        std::string const operation{"post /v1/series/{series}/numbers"};
        CHECK(compare(ask(issue_request("a", R"({"count":3})")), operation) == "");
        CHECK(compare(ask(issue_request("b", R"({"hold_seconds":60})")), operation) == "");
        CHECK(compare(ask(issue_request("c", R"({"count":100000})")), operation) == "");
        CHECK(compare(ask(request("GET /v1/issuances/111")), "get /v1/issuances/{id}") == "");
        service.draws = true;
        CHECK(compare(ask(issue_request("d", R"({"count":1})")), operation) == "");
        service.fates = {{"confirmed", 1}};
        CHECK(compare(ask(request("GET /v1/issuances/114")), "get /v1/issuances/{id}") == "");
        service.fates = {{"issued", 1}, {"voided", 2}};
        CHECK(compare(ask(issue_request("a", R"({"count":3})")), operation) == "");
        service.fates = {{"voided", 3}};
        CHECK(compare(ask(issue_request("a", R"({"count":3})")), operation) == "");
        CHECK(compare(ask(request("GET /v1/issuances/111")), "get /v1/issuances/{id}") == "");
    }

    TEST_CASE_FIXTURE(
        shapes_fixture, "numbers and the ledger have the shape the document gives them"
    )
    {
        number_record record;
        record.serial = 7;
        record.state = "free";
        service.add_number("dhl-paket", record);
        CHECK(compare(ask(request("GET /v1/numbers/7")), "get /v1/numbers/{number}") == "");
        record.serial = 8;
        record.state = "voided";
        record.ordinal = 5;
        record.issuance = issuance_id{.series_id = 1, .turn = 0, .ordinal = 4};
        record.reference = "order";
        record.history = {{"voided", database_time{}, "token:b", "torn"}};
        service.add_number("dhl-paket", record);
        CHECK(
            compare(
                ask(request("GET /v1/series/dhl-paket/numbers/8")),
                "get /v1/series/{series}/numbers/{number}"
            ) == ""
        );
        record.serial = 9;
        record.state = "held";
        record.history = {{"leased", database_time{}, "lease:x at y", std::nullopt}};
        service.add_number("dhl-paket", record);
        CHECK(compare(ask(request("GET /v1/numbers/9")), "get /v1/numbers/{number}") == "");
        service.ledger.resize(2);
        for (auto& row : service.ledger)
            row.range = {.block_id = 1, .count = 1, .serial = 1, .ordinal = 1};
        for (std::string_view const query : {"", "?limit=2"})
        {
            auto const page =
                ask(request("GET /v1/series/dhl-paket/issuances" + std::string{query}));
            CHECK(compare(page, "get /v1/series/{series}/issuances") == "");
        }
    }

    TEST_CASE_FIXTURE(shapes_fixture, "other answers have the shape the document gives them")
    {
        CHECK(compare(ask(request("GET /livez")), "get /livez") == "");
        CHECK(compare(ask(request("GET /v1/session")), "get /v1/session") == "");
        service.notices = {{.id = "8a6e0804", .seq = 1, .kind = "series.low", .series = "s"}, {}};
        service.notices[1].seq = 2;
        service.notices[1].kind = "fence.raised";
        CHECK(compare(ask(request("GET /v1/notices?limit=1")), "get /v1/notices") == "");
        CHECK(compare(ask(request("GET /v1/notices")), "get /v1/notices") == "");
        CHECK(compare(ask(request("GET /readyz")), "get /readyz") == "");
        service.ready.lane = false;
        service.ready.epoch = 0;
        CHECK(compare(ask(request("GET /readyz")), "get /readyz") == "");
        service.checked.numbers = "0";
        service.checked.findings = {{"dhl-paket", "counter", "is wrong"}};
        CHECK(compare(ask(request("GET /v1/verify/dhl-paket")), "get /v1/verify/{series}") == "");
        auto const event =
            ask("POST /v1/series/dhl-paket/events",
                "",
                R"({"kind":"printed","ranges":[{"first":"4901214213405250000",)"
                R"("last":"4901214213405250000"}]})");
        CHECK(compare(event, "post /v1/series/{series}/events") == "");
        auto const format =
            ask("POST /v1/formats", "", R"({"name":"own","number":"{n:8}","length":8})");
        CHECK(compare(format, "post /v1/formats") == "");
        CHECK(compare(ask(request("GET /v1/formats")), "get /v1/formats") == "");
        service.compared = invoice_answer();
        auto const invoice = ask(request(
            "POST /v1/series/dhl-paket/reconcile",
            "Content-Type: text/csv\r\nContent-Length: 9\r\n\r\nnumber\n1\n"
        ));
        CHECK(compare(invoice, "post /v1/series/{series}/reconcile") == "");
    }

    TEST_CASE("what no record describes has examples of their shapes")
    {
        std::set<std::string> described_by_records;
        for (auto const& row : routes())
            if (row.does != nullptr)
                described_by_records.emplace(row.pattern);
        for (auto const& [path, methods] : openapi().at("paths").items())
            for (auto const& [verb, operation] : methods.items())
            {
                if (described_by_records.contains(path))
                    continue;
                auto const id = operation.at("operationId").get<std::string>();
                if (operation.contains("requestBody"))
                    CHECK(wrong_examples(operation["requestBody"], id) == "");
                for (auto const& [status, answer] : operation.at("responses").items())
                    CHECK(wrong_examples(answer, id + ' ' + status) == "");
            }
        auto const without = json{{"content", {{"application/json", {{"schema", {}}}}}}};
        CHECK(wrong_examples(without, "it") == "it has no example of application/json");
        auto wrong = without;
        wrong["content"]["application/json"] = {{"schema", {{"type", "string"}}}, {"example", 1}};
        CHECK(wrong_examples(wrong, "it") == "it is of another type: 1");
    }

    TEST_CASE_FIXTURE(shapes_fixture, "refusals have the shape the document gives them")
    {
        auto const missing = ask(request("GET /v1/series/missing"));
        CHECK(compare(missing, "get /v1/series/{series}") == "");
        CHECK(compare(ask(request("GET /livez?x=1")), "get /livez") == "");
        for (auto kind = 1; kind <= static_cast<int>(refusal_kind::outcome_unknown); ++kind)
        {
            service.refuses = refusal{static_cast<refusal_kind>(kind), "why"};
            auto const answer = ask(issue_request("k"));
            CAPTURE(answer.whole_body);
            CHECK(
                difference(
                    json::parse(answer.whole_body),
                    openapi()["components"]["schemas"]["Problem"],
                    "it"
                ) == ""
            );
        }
    }
}

}  // namespace openapi_shapes_test
