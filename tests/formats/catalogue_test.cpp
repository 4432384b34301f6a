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
    TEST_CASE("the formats are those of the published catalogue, one more and plain ones")
    {
        auto const published = format_data("catalogue.json")["formats"];
        CHECK(published.size() == 61);
        std::set<std::string> names;
        for (auto const& row : catalogue())
        {
            auto const name = std::string{row.name};
            CHECK_MESSAGE(names.insert(name).second, name << " stands twice");
            if (published.contains(name))
                CHECK_MESSAGE(to_declaration(row) == read_declaration(name, published[name]), name);
            else
                CHECK_MESSAGE((name.starts_with("plain") || name == "dhl-gm-variable"), name);
        }
        CHECK(names.size() == 63 + 18);  // plain-1 to plain-18
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
