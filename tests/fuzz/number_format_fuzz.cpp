#include "base/text.hpp"
#include "formats/block_ends.hpp"
#include "formats/catalogue.hpp"
#include "formats/make_and_check.hpp"
#include "formats/presentation.hpp"
#include "fuzz/fuzz.hpp"

#include <charconv>

using namespace gapless;
using namespace gapless::test;

namespace {

/// "name=value" separated by commas.
parameter_values parameters_in(std::string_view line)
{
    parameter_values values;
    while (!line.empty())
    {
        auto const pair = line.substr(0, line.find(','));
        line.remove_prefix(std::min(pair.size() + 1, line.size()));
        auto const equals = std::min(pair.find('='), pair.size());
        values.insert_or_assign(
            std::string{pair.substr(0, equals)},
            std::string{pair.substr(std::min(equals + 1, pair.size()))}
        );
    }
    return values;
}

/// A declaration from six lines: template, check, hrt, symbology, data, two bytes of length.
format_result<number_format> declared_in(fuzz_input& input)
{
    number_declaration declaration;
    declaration.name = "fuzz";
    declaration.number = input.line();
    declaration.check = input.line();
    declaration.hrt = input.line();
    declaration.barcode = {std::string{input.line()}, std::string{input.line()}};
    auto const lengths = input.line();
    if (lengths.size() == 2)
        declaration.length = {
            static_cast<unsigned char>(lengths[0]), static_cast<unsigned char>(lengths[1])};
    return number_format::compile(std::move(declaration));
}

std::string digits_of(std::int64_t serial, int base)
{
    std::array<char, 64> digits;
    auto const end = std::to_chars(digits.begin(), digits.end(), serial, base).ptr;
    return to_upper({digits.data(), static_cast<std::size_t>(end - digits.data())});
}

void check_reason(std::string_view reason)
{
    expect(!reason.empty() && reason.size() < 2'000, "a refusal has a short reason");
    expect(
        std::ranges::all_of(reason, [](char each) { return ' ' <= each && each <= '~'; }),
        "a reason is printable, whatever it is about"
    );
}

/// A serial goes into a number and comes back, by every way there is.
void check_made(bound_format const& format, std::int64_t serial)
{
    auto const number = format.to_number(serial);
    expect(!number.empty() && number.size() <= format.length_max(), "a number has its length");
    auto const read = format.read_number(number);
    expect(read.has_value(), "what was made is read");
    expect(read->serial == serial && read->number == number, "what was made is read as it was");

    auto const made =
        make_number(format.format(), digits_of(serial, format.base()), format.parameters());
    expect(made.has_value() && *made == number, "series and format tool make the same number");
    auto const verdict = check_number(format.format(), number, format.parameters());
    expect(
        verdict.valid || verdict.reason.find("is not assigned") != std::string::npos,
        "what was made is valid"
    );

    std::string list;
    auto const count = std::min<std::int64_t>(12, format.serial_max() - serial + 1);
    format.append_numbers(serial, count, {"", "", "\n"}, list);
    std::string expected;
    for (std::int64_t n = 0; n < count; ++n)
        expected += (n == 0 ? "" : "\n") + format.to_number(serial + n);
    expect(list == expected, "a list is its numbers one by one");
}

/// What somebody wrote is refused with a reason, or is a number that its serial makes again.
void check_read(bound_format const& format, std::string_view text)
{
    if (auto const read = format.read_number(text); read.has_error())
        check_reason(read.error().reason);
    else
    {
        expect(0 <= read->serial && read->serial <= format.serial_max(), "a serial is in bounds");
        expect(format.to_number(read->serial) == read->number, "its serial makes it again");
    }
    if (auto const ends = read_block_ends(format, text, text); ends.has_error())
        check_reason(ends.error().reason);
    else
        expect(
            ends->first_serial == ends->last_serial && ends->last_serial <= format.serial_max(),
            "a block of one"
        );
}

void check_judged(number_format const& format, std::string_view text, parameter_values const& known)
{
    auto const verdict = check_number(format, text, known);
    if (!verdict.valid)
        return check_reason(verdict.reason);
    auto const parts = read_number(format, {}, text);
    if (!parts.has_value() || parts->is_ambiguous)
        return;
    auto const made = make_number(format, parts->serial_text, parts->parameters);
    // A number may hold more digits than a serial has here, or where lengths differ more zeros than
    // we would write; then it can be checked, not made.
    auto const has_own_zeros =
        format.length_min() != format.length_max() && parts->serial_text.starts_with('0');
    expect(
        made.has_value() ? *made == parts->number || has_own_zeros : !parts->serial,
        "a valid number is made again of its parts"
    );
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size)
{
    fuzz_input input{data, size};
    auto const choice = input.byte();
    auto const declared = choice < catalogue().size()
                              ? format_result<number_format>{*find_format(catalogue()[choice].name)}
                              : declared_in(input);
    if (declared.has_error())
        return check_reason(declared.error().reason), 0;

    auto const parameters = parameters_in(input.line());
    auto const serial_text = input.line();
    auto const text = input.rest();
    check_judged(*declared, text, {});
    check_judged(*declared, text, parameters);
    if (auto const made = make_number(*declared, serial_text, parameters); made.has_error())
        check_reason(made.error().reason);
    else
        check_judged(*declared, *made, parameters);

    auto const bound = bound_format::bind(*declared, parameters);
    if (bound.has_error())
        return check_reason(bound.error().reason), 0;
    check_read(*bound, text);
    std::uint64_t serial = 0;
    for (auto const each : serial_text)
        serial = serial * 37 + static_cast<unsigned char>(each);
    auto const within = static_cast<std::uint64_t>(bound->serial_max()) + 1;
    for (auto const each : {std::uint64_t{0}, serial % within, within - 1})
    {
        check_made(*bound, static_cast<std::int64_t>(each));
        if (auto const hrt = to_hrt(*bound, static_cast<std::int64_t>(each)); hrt.has_error())
            check_reason(hrt.error().reason);
        if (auto const code = to_barcode(*bound, static_cast<std::int64_t>(each)); code.has_error())
            check_reason(code.error().reason);
    }
    return 0;
}
