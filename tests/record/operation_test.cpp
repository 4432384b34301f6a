#include "postgres/run_operation.hpp"
#include "record/openapi_schema.hpp"
#include "record/operates.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>
#include <pqxx/transaction_base>

namespace gapless::test {

namespace {

struct shelf
{
    record_id id;
    std::string place;
};
GAPLESS_RECORD(shelf, (), (id, "Id of the shelf."), (place, "Where it stands."))

struct new_shelf : shelf
{
    gapless::secret code;
};
GAPLESS_RECORD(new_shelf, (shelf), (code, "Opens it; shown once."))

struct shelf_id
{
    record_id id;
};
GAPLESS_RECORD(shelf_id, (), (id, "Id of the shelf."))

struct shelf_move
{
    record_id id;
    std::string place;
};
GAPLESS_RECORD(shelf_move, (), (id, "Id of the shelf."), (place, "Where it goes."))

struct shelf_change
{
    record_id id;
    given<std::string> place;
};
GAPLESS_RECORD(shelf_change, (), (id, "Id of the shelf."), (place, "Where it stands."))

// What these do needs no database.

std::vector<shelf> list(pqxx::transaction_base&, page const& wanted)
{
    std::vector<shelf> found;
    for (auto id = wanted.after_id() + 1; id <= 5 && std::ssize(found) < wanted.rows(); ++id)
        found.push_back({{id}, "aisle"});
    return found;
}

shelf read(pqxx::transaction_base&, shelf_id const& which, viewer const& sees)
{
    if (which.id > 5 || (sees.series && which.id > 1))
        throw refused{refusal_kind::not_found, "there is no such shelf"};
    return {which.id, "aisle"};
}

shelf move(pqxx::transaction_base&, shelf_move const& wanted, caller const& by)
{
    return {wanted.id, wanted.place + " by " + by.name};
}

new_shelf open(pqxx::transaction_base&, shelf_id const& which, caller const&)
{
    return {{which.id, "aisle"}, {"1234"}};
}

may_wait<shelf> change(pqxx::transaction_base&, shelf_change const& wanted, caller const&)
{
    return {{wanted.id, "aisle"}, wanted.place.value == "attic"};
}

struct aisle_name
{
    std::string place;
};
GAPLESS_RECORD(aisle_name, (), (place, "Which one."))

std::vector<shelf> clear(pqxx::transaction_base&, aisle_name const& which, caller const&)
{
    return {{{1}, which.place}, {{2}, which.place}};
}

constexpr operation table[]{
    operates<&list>(
        {.verb = "list",
         .method = http_method::get,
         .path = "/v1/shelves",
         .needs = scope::read,
         .summary = "Shelves"}
    ),
    operates<&read>(
        {.verb = "show",
         .method = http_method::get,
         .path = "/v1/shelves/{id}",
         .needs = scope::read,
         .summary = "A shelf"}
    ),
    operates<&move>(
        {.verb = "move",
         .method = http_method::post,
         .path = "/v1/shelves/{id}/move",
         .needs = scope::load,
         .summary = "Move a shelf"}
    ),
    operates<&open>(
        {.verb = "open",
         .method = http_method::post,
         .path = "/v1/shelves/{id}/open",
         .needs = scope::admin,
         .summary = "Open a shelf",
         .repeated = "See {location}."}
    ),
    operates<&change>(
        {.method = http_method::patch,
         .path = "/v1/shelves/{id}",
         .needs = scope::admin,
         .summary = "Change a shelf"}
    ),
    operates<&clear>(
        {.verb = "clear", .method = http_method::post, .summary = "Clear the shelves of an aisle"}
    ),
};
constexpr feature shelves{"shelf", "Where parcels wait", table};

/// What an operation of the table answers, run without a database.
result<answered> run(operation const& wanted, std::vector<raw_value> values, viewer sees = {})
{
    // None of the functions above looks at the transaction.
    alignas(pqxx::transaction_base) static std::byte nothing[sizeof(pqxx::transaction_base)];
    auto& database = reinterpret_cast<pqxx::transaction_base&>(nothing);
    auto input = make_record(*wanted.input, values, word_for_body);
    run_operation const runs{&wanted, std::move(input), std::move(sees)};
    return runs.run(database, "cli:anna");
}

}  // namespace

TEST_SUITE("record/operation")
{
    TEST_CASE("a table knows from the signature what a function reads and answers")
    {
        static_assert(!table[0].changes && table[0].answer->is_list);
        static_assert(!table[1].changes && !table[1].answer->is_list);
        static_assert(table[2].changes && !table[2].answer->has_secret);
        static_assert(table[3].answer->has_secret);
        CHECK(table[0].path_fields() == 0);
        CHECK(table[2].path_fields() == 1);
        CHECK(table[2].input->fields.size() == 2);
        CHECK(table[3].answer->columns.size() == 3);
    }

    TEST_CASE("a list answers a page, and where the next one begins")
    {
        CHECK(
            run(table[0], {"0", "2"})->json ==
            R"({"items":[{"id":"1","place":"aisle"},{"id":"2","place":"aisle"}],"next":"2"})"
        );
        CHECK(
            run(table[0], {"4", "2"})->json ==
            R"({"items":[{"id":"5","place":"aisle"}],"next":null})"
        );
        CHECK(run(table[0], {"5", {}})->json == R"({"items":[],"next":null})");
    }

    TEST_CASE("a list that nothing limits is one page")
    {
        CHECK(
            run(table[5], {"attic"})->json ==
            R"({"items":[{"id":"1","place":"attic"},{"id":"2","place":"attic"}],"next":null})"
        );
    }

    TEST_CASE("what is changed can be read by what the change takes, unless it takes less")
    {
        for (auto const place : {1, 2, 3, 4})
            CHECK(find_read(shelves, table[place]) == &table[1]);
        CHECK(find_read(shelves, table[5]) == nullptr);
    }

    TEST_CASE("what an operation throws is a refusal")
    {
        auto const found = run(table[1], {"6"});
        REQUIRE(found.has_error());
        CHECK(found.error().kind == refusal_kind::not_found);
        CHECK(run(table[1], {"5"})->json == R"({"id":"5","place":"aisle"})");
    }

    TEST_CASE("an operation is told who is looking if it asks")
    {
        viewer const limited{.series = {{"dhl-paket"}}};
        CHECK(run(table[1], {"1"}, limited).has_value());
        CHECK(run(table[1], {"2"}, limited).has_error());
    }

    TEST_CASE("who changes something has a name, and what is shown once is not kept")
    {
        CHECK(run(table[2], {"5", "attic"})->json == R"({"id":"5","place":"attic by cli:anna"})");
        CHECK(run(table[2], {"5", "attic"})->kept.empty());
        auto const opened = run(table[3], {"5"});
        CHECK(opened->json == R"({"id":"5","place":"aisle","code":"1234"})");
        CHECK(opened->kept == R"({"id":"5","place":"aisle"})");
        CHECK(opened->id == "5");
        run_secret_operation const once{{&table[3], nullptr}, std::string{table[3].repeated}};
        CHECK(once.refuse_repetition({.location = "/v1/shelves/5"}).detail == "See /v1/shelves/5.");
    }

    TEST_CASE("a change answers what there is, and whether it waits")
    {
        auto const now = run(table[4], {"5", "cellar"});
        CHECK(now->json == R"({"id":"5","place":"aisle"})");
        CHECK_FALSE(now->waits);
        CHECK(run(table[4], {"5", "attic"})->waits);
        CHECK(table[4].answer->columns.size() == 2);
    }

    TEST_CASE("a text is filled in once, and what has no value stays")
    {
        auto const value_of = [](std::string_view name) {
            return name == "id" ? std::optional<std::string>{"{place}"} : std::nullopt;
        };
        CHECK(fill_in("shelf {id} of {place}, {", value_of) == "shelf {place} of {place}, {");
        CHECK(fill_in("", value_of).empty());
    }

    TEST_CASE("OpenAPI has each operation with a path, with its parameters, body and answer")
    {
        std::string text;
        feature const* const all[]{&shelves};
        append_openapi(text, all);
        auto const paths = nlohmann::json::parse(text)["paths"];
        REQUIRE(paths.size() == 4);
        auto const& list = paths["/v1/shelves"]["get"];
        CHECK(list["operationId"] == "listShelfs");  // a noun with a plural of its own says so
        CHECK(list["parameters"][1]["schema"]["maximum"] == 1'000);
        auto const& move = paths["/v1/shelves/{id}/move"]["post"];
        CHECK(move["parameters"][0]["in"] == "path");
        auto const& body = move["requestBody"]["content"]["application/json"]["schema"];
        CHECK(body["required"].dump() == R"(["place"])");
        CHECK(body["properties"].size() == 1);
        CHECK(move["security"][0]["bearer"][0] == "load");
        CHECK(paths["/v1/shelves/{id}"]["get"]["responses"].count("202") == 0);
        auto const& change = paths["/v1/shelves/{id}"]["patch"];
        CHECK(change["responses"]["202"]["content"] == change["responses"]["200"]["content"]);
        CHECK(change["parameters"].back()["$ref"] == "#/components/parameters/Key");
    }
}

}  // namespace gapless::test
