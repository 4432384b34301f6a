#include "domain/format/make_and_check.hpp"
#include "domain/format/number_reader.hpp"
#include "support.hpp"

#include <doctest/doctest.h>

#include <map>

using namespace gapless;
using namespace gapless::test;
using nlohmann::json;

namespace {

// Runs `use` for every number of tests/data/formats/vectors.json.
template <class Use>
void for_each_vector(Use const& use)
{
    for (auto const& vector : format_data("vectors.json"))
    {
        auto const name = vector["format"].get<std::string>();
        auto const number = vector["full_number"].get<std::string>();
        CAPTURE(name);
        CAPTURE(number);
        auto const* const format = find_format(name);
        REQUIRE(format != nullptr);
        use(vector, *format, number);
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

}  // namespace

TEST_SUITE("format/published_numbers")
{
    TEST_CASE("every published number is judged as its source says")
    {
        int judged{};
        for_each_vector([&](json const& vector, number_format const& format, auto const& number) {
            auto const verdict = check_number(format, number, {});
            CHECK_MESSAGE(verdict.valid == vector["valid"].get<bool>(), verdict.reason);
            if (verdict.valid)
                CHECK_FALSE(verdict.serial.empty());
            else
                CHECK_FALSE(verdict.reason.empty());
            ++judged;
        });
        CHECK(judged == 474);
    }

    TEST_CASE("the serial of a valid published number is the published one")
    {
        for_each_vector([](json const& vector, number_format const& format, auto const& number) {
            if (vector["valid"].get<bool>() && vector["serial"].is_string())
                CHECK(
                    check_number(format, number, {}).serial == vector["serial"].get<std::string>()
                );
        });
    }

    TEST_CASE("a number is read as it is printed: with blanks, dots and a barcode's prefix")
    {
        int printed{};
        for_each_vector([&](json const& vector, number_format const& format, auto const& number) {
            if (!vector.contains("printed"))
                return;
            auto const text = vector["printed"].get<std::string>();
            CHECK(check_number(format, text, {}).valid == vector["valid"].get<bool>());
            if (vector["valid"].get<bool>())
                CHECK(read_number(format, {}, text)->number == number);
            ++printed;
        });
        CHECK(printed == 40);
    }

    TEST_CASE("every valid published number is made again from its serial and parameters")
    {
        for_each_vector([](json const& vector, number_format const& format, auto const& number) {
            if (!vector["valid"].get<bool>())
                return;
            auto const parts = read_number(format, {}, number).value();
            auto const is_beyond_64_bits = !parts.serial && vector["serial"].is_null();
            if (!parts.is_ambiguous && !is_beyond_64_bits)
                CHECK(text(make_number(format, parts.serial_text, parts.parameters)) == number);
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
        for_each_vector([&](json const& vector, number_format const& format, auto const& number) {
            if (!vector["valid"].get<bool>() || format.algorithm().kernel == check_kernel::none)
                return;
            auto const [tried, unseen] = substitute_digits(format, number);
            auto& sum = counted[format.declaration().check];
            sum.tried += tried;
            sum.unseen += unseen;
        });
        auto const share = [&](char const* algorithm) {
            return std::to_string(counted[algorithm].unseen) + " of " +
                   std::to_string(counted[algorithm].tried);
        };
        // Every weight is prime to 10, or the system finds every single error by design.
        CHECK(share("gs1") == "0 of 12420");
        CHECK(share("gs1-left") == "0 of 666");
        CHECK(share("gls") == "0 of 1404");
        CHECK(share("usps-91") == "0 of 180");
        CHECK(share("luhn") == "0 of 1809");
        CHECK(share("iso7064-37-36") == "0 of 6075");
        // Digits five apart weigh the same, times 4 or times 2, modulo 10.
        CHECK(share("dp-4-9") == "213 of 3834");
        CHECK(share("ups") == "138 of 2853");
        // 0 and 7, 1 and 8, 2 and 9 leave the same remainder.
        CHECK(share("mod7") == "47 of 756");
        // Two of the eleven remainders print the same digit.
        CHECK(share("s10") == "103 of 4374");
        CHECK(share("fedex-137") == "57 of 2880");
        CHECK(counted.size() == 11);
    }
}
