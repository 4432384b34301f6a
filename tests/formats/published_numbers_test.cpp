#include "formats/format_data.hpp"
#include "formats/make_and_check.hpp"
#include "formats/number_reader.hpp"
#include "formats/numbers.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <map>
#include <sstream>

namespace published_numbers_test {

using namespace gapless;
using namespace gapless::test;
using nlohmann::json;

/// A number of tests/data/formats/published_numbers.txt, or how one is printed.
struct published
{
    number_format const& format;
    bool valid{};
    std::string number;  // or how it is printed
    std::string of_it;   // its serial (-: none of 64 bits), or the number that is printed so
};

/// Runs `use` for every number, or for every spelling of one.
template <class Use>
void for_each_published(Use const& use, bool printed = false)
{
    std::ifstream file{GAPLESS_SOURCE_DIR "/tests/data/formats/published_numbers.txt"};
    for (std::string line; std::getline(file, line);)
    {
        CAPTURE(line);
        auto const equals = line.find(" = ");
        if (!line.starts_with("    ") || (equals != std::string::npos) != printed)
            continue;  // a source, or one of the others
        std::istringstream words{line};
        std::string name;
        std::string number;
        std::string of_it;
        words >> name >> number >> of_it;
        auto const valid = !name.starts_with('!');
        auto const* const format = find_format(valid ? name : name.substr(1));
        REQUIRE(format != nullptr);
        if (printed)
        {
            auto const begin = line.find(name) + name.size() + 1;
            number = line.substr(begin, equals - begin);
            of_it = line.substr(equals + 3);
        }
        use(published{*format, valid, number, of_it});
    }
}

struct substitutions
{
    int tried{};
    int unseen{};
};

// Puts every other digit in the place of each digit a check algorithm reads, and of its own. A
// place is read when at least one digit there is refused for its check character.
substitutions substitute_digits(number_format const& format, std::string const& number)
{
    substitutions counted;
    for (std::size_t at = 0; at < number.size(); ++at)
    {
        substitutions here;
        for (auto digit = '0'; digit <= '9'; ++digit)
        {
            auto changed = number;
            changed[at] = digit;
            if (!takes(character_class::digits, number[at]) || changed == number)
                continue;
            auto const outcome = read_number(format, {}, changed);
            ++here.tried;
            here.unseen += outcome.has_value() ? 1 : 0;
            if (outcome.has_error() && !outcome.error().reason.starts_with("check character"))
                here.unseen = here.tried = 0;
        }
        if (here.unseen == here.tried)
            continue;
        counted.tried += here.tried;
        counted.unseen += here.unseen;
    }
    return counted;
}

TEST_SUITE("formats/published_numbers")
{
    TEST_CASE("every published number is judged as its source says")
    {
        int judged{};
        for_each_published([&](published const& each) {
            auto const verdict = check_number(each.format, each.number, {});
            CHECK_MESSAGE(verdict.valid == each.valid, verdict.reason);
            if (verdict.valid)
                CHECK_FALSE(verdict.serial.empty());
            else
                CHECK_FALSE(verdict.reason.empty());
            ++judged;
        });
        CHECK(judged == 300);
    }

    TEST_CASE("the serial of a valid published number is the published one")
    {
        for_each_published([](published const& each) {
            if (each.valid && each.of_it != "-")
                CHECK(check_number(each.format, each.number, {}).serial == each.of_it);
        });
    }

    TEST_CASE("a number is read as it is printed: with blanks, dots and a barcode's prefix")
    {
        int printed{};
        auto const read = [&](published const& each) {
            CHECK(check_number(each.format, each.number, {}).valid == each.valid);
            if (each.valid)
                CHECK(read_number(each.format, {}, each.number)->number == each.of_it);
            ++printed;
        };
        for_each_published(read, true);
        CHECK(printed == 18);
    }

    TEST_CASE("every valid published number is made again from its serial and parameters")
    {
        for_each_published([](published const& each) {
            if (!each.valid)
                return;
            auto const parts = read_number(each.format, {}, each.number).value();
            auto const is_beyond_64_bits = !parts.serial && each.of_it == "-";
            if (!parts.is_ambiguous && !is_beyond_64_bits)
                CHECK(
                    text(make_number(each.format, parts.serial_text, parts.parameters)) ==
                    each.number
                );
        });
    }

    TEST_CASE("published runs of consecutive numbers come out one after the other")
    {
        auto const runs = format_data("sequences.json")["sequences"];
        CHECK(runs.size() == 4);
        for (auto const& run : runs)
        {
            auto const format =
                bound(run["format"].get<std::string>(), run["params"].get<parameter_values>());
            auto serial = to_serial(run["first_serial"].get<std::string>(), 10).value();
            std::string list;
            format.append_numbers(
                serial, static_cast<std::int64_t>(run["numbers"].size()), {"\"", "\"", ","}, list
            );
            CHECK(json::parse("[" + list + "]") == run["numbers"]);
            for (auto const& number : run["numbers"])
            {
                CHECK(format.to_number(serial) == number.get<std::string>());
                CHECK(format.read_number(number.get<std::string>())->serial == serial++);
            }
        }
    }

    // What a check character is worth: digits read wrongly that go unseen, per algorithm, over
    // every valid published number.
    TEST_CASE("a wrong digit is seen wherever the algorithm can see it")
    {
        std::map<std::string, substitutions> counted;
        for_each_published([&](published const& each) {
            if (!each.valid || each.format.algorithm().kernel == check_kernel::none)
                return;
            auto const [tried, unseen] = substitute_digits(each.format, each.number);
            auto& sum = counted[each.format.declaration().check];
            sum.tried += tried;
            sum.unseen += unseen;
        });
        auto const share = [&](char const* algorithm) {
            return std::to_string(counted[algorithm].unseen) + " of " +
                   std::to_string(counted[algorithm].tried);
        };
        // Every weight is prime to 10, or the system finds every single error by design.
        CHECK(share("gs1") == "0 of 4509");
        CHECK(share("gs1-left") == "0 of 666");
        CHECK(share("gls") == "0 of 432");
        CHECK(share("usps-91") == "0 of 180");
        CHECK(share("luhn") == "0 of 729");
        CHECK(share("iso7064-37-36") == "0 of 2412");
        CHECK(share("correos") == "0 of 972");
        // Digits five apart weigh the same, times 4 or times 2, modulo 10.
        CHECK(share("dp-4-9") == "78 of 1404");
        CHECK(share("ups") == "64 of 1278");
        // 0 and 7, 1 and 8, 2 and 9 leave the same remainder.
        CHECK(share("mod7") == "35 of 576");
        // Two of the eleven remainders print the same digit.
        CHECK(share("s10") == "29 of 1377");
        CHECK(share("fedex-137") == "44 of 1764");
        CHECK(counted.size() == 12);
    }
}

}  // namespace published_numbers_test
