#include "formats/assigned_values.hpp"
#include "formats/catalogue.hpp"
#include "formats/format_data.hpp"
#include "formats/numbers.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <set>

namespace catalogue_test {

using namespace gapless;
using namespace gapless::test;

number_declaration read_declaration(std::string const& name, nlohmann::json const& row)
{
    number_declaration declaration{};
    declaration.name = name;
    declaration.number = row["number"];
    declaration.length.min = declaration.length.max = row.value("length", std::size_t{0});
    declaration.check = row["check"];
    declaration.hrt = row.value("hrt", "");
    if (row.contains("barcode"))
        declaration.barcode = {row["barcode"]["symbology"], row["barcode"]["data"]};
    return declaration;
}

TEST_SUITE("formats/catalogue")
{
    // Those that the published catalogue lacks; docs/reference/formats.md says where they are from.
    std::set<std::string> const later{
        "dhl-gm-variable",
        "dhl-piece-16",
        "dhl-piece-18",
        "dhl-piece-20",
        "dhl-piece-21",
        "gls-8",
        "hermes-20",
        "hermes-21",
        "evri-16",
        "bpost-24",
        "bpost-18",
        "bpost-27",
        "correos-es-23",
        "correos-es-16",
        "inpost-24"};

    TEST_CASE("the formats are those of the published catalogue, later and plain ones")
    {
        auto const published = format_data("catalogue.json")["formats"];
        CHECK(published.size() == 61);
        std::set<std::string> names;
        for (auto const& row : catalogue())
        {
            auto const name = std::string{row.name};
            CHECK_MESSAGE(names.insert(name).second, name << " stands twice");
            auto declared = to_declaration(row);
            CHECK_MESSAGE(declared.carrier == row.carrier, name);
            declared.carrier.clear();
            if (published.contains(name))
                CHECK_MESSAGE(declared == read_declaration(name, published[name]), name);
            else
                CHECK_MESSAGE((name.starts_with("plain") || later.contains(name)), name);
        }
        CHECK(names.size() == published.size() + later.size() + 19);  // plain, plain-1 to plain-18
    }

    TEST_CASE("every format says whose numbers it makes, but those of anybody")
    {
        auto const formats_of = [](std::string_view carrier) {
            std::string found;
            for (auto const& row : catalogue())
                if (row.carrier.find(carrier) != std::string_view::npos)
                    found.append(found.empty() ? "" : " ").append(row.name);
            return found;
        };
        CHECK(formats_of("Royal Mail") == "upu-s10");
        CHECK(formats_of("Hermes") == "hermes-14 hermes-20 hermes-21 evri-16");
        CHECK(formats_of("bpost") == "upu-s10 bpost-24 bpost-18 bpost-27");
        CHECK(formats_of("InPost") == "yodel-18 yodel-19 inpost-24");
        for (auto const& row : catalogue())
            CHECK_MESSAGE(
                row.carrier.empty() ==
                    (row.name.starts_with("plain") || row.name == "iso7064-37-36-any"),
                row.name
            );
    }

    TEST_CASE("every format of the catalogue compiles and is found by its name")
    {
        for (auto const& row : catalogue())
        {
            CAPTURE(row.name);
            CHECK(outcome_of(to_declaration(row)) == "compiles");
            REQUIRE(find_format(row.name) != nullptr);
            CHECK(find_format(row.name)->declaration() == to_declaration(row));
        }
        CHECK(find_format("no-such-format") == nullptr);
        CHECK(find_format("Plain") == nullptr);
    }

    TEST_CASE("what is known to be assigned names fields that exist")
    {
        for (auto const& limit : assigned())
        {
            auto const* const format = find_format(limit.format);
            REQUIRE(format != nullptr);
            CHECK((limit.field == "n" || format->find_parameter(limit.field) != nullptr));
        }
        CHECK(is_among("072* 80*", "0721"));
        CHECK(is_among("A C M", "M"));
        CHECK_FALSE(is_among("A C M", "B"));
        CHECK_FALSE(is_among("A C M", ""));
        CHECK_FALSE(is_among("", "A"));
    }
}

}  // namespace catalogue_test
