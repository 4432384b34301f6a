#include "formats/check_algorithm.hpp"
#include "formats/format_data.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <map>

namespace check_algorithm_test {

using namespace gapless;
using namespace gapless::test;

TEST_SUITE("formats/check_algorithm")
{
    TEST_CASE("the algorithms are those of the published catalogue and the one of Correos")
    {
        auto const catalogue = format_data("catalogue.json")["algorithms"];
        CHECK(catalogue.size() == 13);
        CHECK(check_algorithms().size() == catalogue.size() + 1);
        CHECK(find_check_algorithm("correos") != nullptr);
        for (auto const& [name, row] : catalogue.items())
            CHECK_MESSAGE(find_check_algorithm(name) != nullptr, name);
        CHECK(find_check_algorithm("gs2") == nullptr);
        CHECK(find_check_algorithm("") == nullptr);
    }

    TEST_CASE("a row says what the catalogue says")
    {
        auto const catalogue = format_data("catalogue.json")["algorithms"];
        for (auto const& [name, row] : catalogue.items())
        {
            CAPTURE(name);
            auto const& known = *find_check_algorithm(name);
            std::map<check_kernel, std::string> const kinds{
                {check_kernel::none, "none"},
                {check_kernel::weighted_sum, "wsum"},
                {check_kernel::luhn, "luhn"},
                {check_kernel::remainder, "mod"},
                {check_kernel::iso7064_hybrid, "iso7064hybrid"}};
            CHECK(kinds.at(known.kernel) == row["kind"].get<std::string>());
            std::vector<int> weights(known.weights.begin(), known.weights.end());
            std::erase(weights, 0);
            CHECK(weights == row.value("weights", std::vector<int>{}));
            CHECK(
                (known.from == weights_from::right ? "right" : "left") == row.value("from", "right")
            );
            CHECK(known.modulus == row.value("mod", 10));
            CHECK(known.add == row.value("add", 0));
            CHECK((known.values == character_values::ups) == (row.value("values", "") == "ups"));
            CHECK(known.prepend == row.value("prepend", ""));
            CHECK(known.result_is_remainder == (row.value("result", "") == "remainder"));
            CHECK(known.second_modulus == row.value("mod2", 0));
            if (known.kernel == check_kernel::iso7064_hybrid)
                CHECK(known.alphabet == row["alphabet"].get<std::string>());
            auto remaps = nlohmann::json::object();
            for (auto const& [from, to] : known.remap)
                if (from >= 0)
                    remaps[std::to_string(from)] = to;
            CHECK(remaps == row.value("remap", nlohmann::json::object()));
        }
    }

    TEST_CASE("what an algorithm does not read has no check character")
    {
        CHECK_FALSE(check_character(*find_check_algorithm("gs1"), "12A4").has_value());
        CHECK_FALSE(check_character(*find_check_algorithm("gs1"), "").has_value());
        CHECK_FALSE(check_character(*find_check_algorithm("none"), "1234").has_value());
        CHECK_FALSE(check_character(*find_check_algorithm("ups"), "12a4").has_value());
        CHECK_FALSE(check_character(*find_check_algorithm("iso7064-37-36"), "1-4").has_value());
        CHECK_FALSE(check_character(*find_check_algorithm("iso7064-11-10"), "1A").has_value());
    }
}

}  // namespace check_algorithm_test
