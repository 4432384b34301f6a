#include "formats/any_number.hpp"
#include "formats/number_program.hpp"
#include "formats/numbers.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

namespace number_program_test {

using namespace gapless;
using namespace gapless::test;
using nlohmann::json;

int value_of(char character, json const& check)
{
    if (check.value("values", "") == "ascii")
        return character;
    if (character <= '9')
        return character - '0';
    return check.value("values", "") == "ups" ? (character - 63) % 10 : character - 'A' + 10;
}

int weighted_sum(std::string const& body, json const& check)
{
    auto const& weights = check["weights"];
    auto sum = check["start"].get<int>();
    for (std::size_t at = 0; at < body.size(); ++at)
    {
        auto const place = check["from"] == "left" ? at : body.size() - 1 - at;
        sum += value_of(body[at], check) * weights[place % weights.size()].get<int>();
    }
    return sum % check["mod"].get<int>();
}

int luhn_sum(std::string const& body, json const& check)
{
    auto sum = 0;
    for (std::size_t at = 0; at < body.size(); ++at)
    {
        auto const value = value_of(body[at], check) * ((body.size() - at) % 2 == 1 ? 2 : 1);
        sum += value > 9 ? value - 9 : value;
    }
    return sum % 10;
}

int remainder(std::string const& body, json const& check)
{
    auto rest = 0;
    for (auto const character : body)
        rest = (rest * 10 + value_of(character, check)) % check["mod"].get<int>();
    return rest;
}

char hybrid(std::string const& body, json const& check)
{
    auto const alphabet = check["alphabet"].get<std::string>();
    auto const size = static_cast<int>(alphabet.size());
    auto product = size;
    for (auto const character : body)
    {
        auto const sum = (product + value_of(character, check)) % size;
        product = (sum == 0 ? size : sum) * 2 % (size + 1);
    }
    return alphabet[static_cast<std::size_t>((size + 1 - product) % size)];
}

char check_of(std::string const& body, json const& check)
{
    auto const kernel = check["kernel"].get<std::string>();
    if (kernel == "iso7064")
        return hybrid(body, check);
    auto const rest = kernel == "wsum"   ? weighted_sum(body, check)
                      : kernel == "luhn" ? luhn_sum(body, check)
                                         : remainder(body, check);
    return check["results"].get<std::string>().at(static_cast<std::size_t>(rest));
}

// What a database function does with a program, statement by statement.
std::string run(json const& program, std::int64_t serial)
{
    auto digits = digits_of(serial, program["base"].get<int>());
    auto const width = program["width_min"].get<std::size_t>();
    if (digits.size() < width)
        digits.insert(0, width - digits.size(), '0');
    auto number = program["head"].get<std::string>() + digits + program["tail"].get<std::string>();
    auto const& check = program["check"];
    if (!check.is_null())
        number[number.find('?')] = check_of(
            check["head"].get<std::string>() + digits + check["tail"].get<std::string>(), check
        );
    return number;
}

TEST_SUITE("formats/number_program")
{
    TEST_CASE("a program is the recipe in JSON")
    {
        CHECK(
            to_program(bound("plain")) ==
            R"({"head":"","tail":"","width_min":1,"width_max":19,"base":10,"check":null})"
        );
        CHECK(
            json::parse(to_program(bound("upu-s10", {{"svc", "RB"}, {"cc", "DE"}}))) ==
            json::parse(R"({"head":"RB","tail":"?DE","width_min":8,"width_max":8,"base":10,
                  "check":{"kernel":"wsum","head":"","tail":"","weights":[8,6,4,2,3,5,9,7],
                           "from":"left","mod":11,"start":0,"values":"digits",
                           "results":"50987654321"}})")
        );
    }

    TEST_CASE("a program makes the numbers of its series, in every format")
    {
        for_each_format([](bound_format const& format) {
            auto const serial = any_serial(format);
            auto const program = json::parse(to_program(format));
            RC_ASSERT(run(program, serial) == format.to_number(serial));
        });
    }
}

}  // namespace number_program_test
