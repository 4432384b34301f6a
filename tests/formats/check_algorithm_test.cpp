#include "formats/check_algorithm.hpp"
#include "formats/format_data.hpp"
#include "formats/numbers.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <functional>
#include <rapidcheck.h>

namespace check_algorithm_test {

using namespace gapless;
using namespace gapless::test;

// The same algorithms once more, as their documents put them, in other words than the engine's.
namespace oracle {

int value(char digit)
{
    return digit - '0';
}

// Tries the ten digits until the whole satisfies `holds`.
char digit_that(std::function<bool(int)> const& holds)
{
    for (auto digit = 0; digit < 10; ++digit)
        if (holds(digit))
            return static_cast<char>('0' + digit);
    return '-';
}

// GS1: digits in odd places from the check digit count three times; the whole is a multiple of 10.
char gs1(std::string const& body)
{
    auto threes = 0;
    auto ones = 0;
    for (auto digit = body.rbegin(); digit < body.rend(); digit += 2)
    {
        threes += value(*digit);
        if (digit + 1 < body.rend())
            ones += value(*(digit + 1));
    }
    return digit_that([&](int check) { return (3 * threes + ones + check) % 10 == 0; });
}

char alternating(std::string const& body, int first, int second, int extra)
{
    auto sum = extra;
    auto weight = first;
    for (auto const digit : body)
    {
        sum += weight * value(digit);
        weight = first + second - weight;
    }
    return digit_that([&](int check) { return (sum + check) % 10 == 0; });
}

char ups(std::string const& body)
{
    constexpr std::string_view letters{"ABCDEFGHIJKLMNOPQRSTUVWXYZ"};
    constexpr std::string_view letter_digits{"23456789012345678901234567"};
    auto digits = body;
    for (auto& each : digits)
        if (auto const place = letters.find(each); place != letters.npos)
            each = letter_digits[place];
    return alternating(digits, 1, 2, 0);
}

char s10(std::string const& body)
{
    constexpr int weights[]{8, 6, 4, 2, 3, 5, 9, 7};
    auto sum = 0;
    for (std::size_t place = 0; place < body.size(); ++place)
        sum += value(body[place]) * weights[place % 8];
    constexpr std::string_view by_remainder{"50987654321"};
    return by_remainder[static_cast<std::size_t>(sum % 11)];
}

char fedex(std::string const& body)
{
    auto sum = 0;
    auto weight = 1;
    for (auto digit = body.rbegin(); digit != body.rend(); ++digit)
    {
        sum += weight * value(*digit);
        weight = weight == 1 ? 3 : weight == 3 ? 7 : 1;
    }
    constexpr std::string_view by_remainder{"01234567890"};
    return by_remainder[static_cast<std::size_t>(sum % 11)];
}

char luhn(std::string const& body)
{
    constexpr std::string_view doubled{"0246813579"};
    auto sum = 0;
    auto twice = true;
    for (auto digit = body.rbegin(); digit != body.rend(); ++digit, twice = !twice)
        sum += value(twice ? doubled[static_cast<std::size_t>(value(*digit))] : *digit);
    return digit_that([&](int check) { return (sum + check) % 10 == 0; });
}

// 1001 = 7 · 11 · 13, so groups of three digits alternate in sign.
char mod7(std::string body)
{
    while (body.size() % 3 != 0)
        body.insert(0, 1, '0');
    auto sum = 0;
    auto sign = 1;
    for (auto at = body.size(); at > 0; at -= 3, sign = -sign)
        sum += sign * (100 * value(body[at - 3]) + 10 * value(body[at - 2]) + value(body[at - 1]));
    return static_cast<char>('0' + (sum % 7 + 7) % 7);
}

// ISO/IEC 7064, 9.2: the character that makes the whole text check, by the checking procedure.
char hybrid(std::string const& body, std::string_view alphabet)
{
    auto const size = static_cast<int>(alphabet.size());
    for (auto const candidate : alphabet)
    {
        auto product = size;
        auto sum = 0;
        for (auto const character : body + candidate)
        {
            sum = product + static_cast<int>(alphabet.find(character));
            auto const reduced = sum % size == 0 ? size : sum % size;
            product = 2 * reduced % (size + 1);
        }
        if (sum % size == 1)
            return candidate;
    }
    return '-';
}

constexpr std::string_view alphabet_36{"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"};

std::map<std::string_view, std::function<char(std::string const&)>> const algorithms{
    {"gs1", gs1},
    {"gs1-left", [](std::string const& body) { return alternating(body, 3, 1, 0); }},
    {"dp-4-9", [](std::string const& body) { return alternating(body, 4, 9, 0); }},
    {"gls", [](std::string const& body) { return alternating(body, 3, 1, 1); }},
    {"ups", ups},
    {"s10", s10},
    {"fedex-137", fedex},
    {"usps-91", [](std::string const& body) { return gs1("91" + body); }},
    {"luhn", luhn},
    {"mod7", mod7},
    {"iso7064-37-36", [](std::string const& body) { return hybrid(body, alphabet_36); }},
    {"iso7064-11-10", [](std::string const& body) { return hybrid(body, "0123456789"); }},
};

}  // namespace oracle

// A body the algorithm reads, 1 to 40 characters.
std::string any_body(check_algorithm const& algorithm)
{
    auto const characters = reads(algorithm, 'A') ? 36 : 10;
    auto const places = *rc::gen::inRange(1, 41);
    std::string body;
    for (auto place = 0; place < places; ++place)
        body += oracle::alphabet_36[static_cast<std::size_t>(*rc::gen::inRange(0, characters))];
    return body;
}

TEST_SUITE("formats/check_algorithm")
{
    TEST_CASE("there are thirteen algorithms, and they are those of the catalogue")
    {
        auto const catalogue = format_data("catalogue.json")["algorithms"];
        CHECK(check_algorithms().size() == 13);
        CHECK(catalogue.size() == 13);
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

    TEST_CASE("every algorithm agrees with a second implementation")
    {
        CHECK(oracle::algorithms.size() + 1 == check_algorithms().size());
        for (auto const& [name, expected] : oracle::algorithms)
        {
            auto const& algorithm = *find_check_algorithm(name);
            CHECK(rc::check(std::string{name} + " agrees with its oracle", [&] {
                auto const body = any_body(algorithm);
                RC_ASSERT(check_character(algorithm, body) == expected(body));
            }));
        }
    }

    TEST_CASE("worked examples of the standards come out")
    {
        auto const check = [](char const* name, char const* body) {
            return check_character(*find_check_algorithm(name), body).value();
        };
        CHECK(check("gs1", "37610425002123456") == '9');
        CHECK(check("s10", "47312482") == '9');  // UPU S10, the example of the standard
        CHECK(check("luhn", "7992739871") == '3');
        CHECK(check("iso7064-11-10", "0794") == '5');
        CHECK(check("iso7064-37-36", "A12425GABC1234002") == 'M');
        CHECK(check("dp-4-9", "21802580906") == '6');
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
