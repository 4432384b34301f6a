#include "labels/zpl.hpp"

#include <fmt/format.h>

// Zebra, ZPL II Programming Guide: ^B2, ^BC, ^BK, ^BX, ^BY, ^FH.
namespace gapless {
namespace {

constexpr std::size_t pairs_pay_from = 4;  // digits; two pairs outweigh the switch of subset
constexpr char matrix_escape = '_';        // of ^BX

std::size_t digits_at(std::string_view text, std::size_t at) noexcept
{
    auto const end = text.find_first_not_of("0123456789", at);
    return (end == text.npos ? text.size() : end) - at;
}

// A character of subset B for ^BC: > calls functions, ^ and ~ start commands.
void append_in_subset_b(std::string& field, char character)
{
    switch (character)
    {
    case '>': field += ">0"; break;
    case '^': field += "><"; break;
    case '~': field += ">="; break;
    default: field += character; break;
    }
}

std::string linear_field(symbol_data const& symbol)
{
    if (symbol.kind == symbology::gs1_128)
        return to_code128_field(to_gs1_message(symbol.data));
    return to_code128_field(symbol.data);
}

std::string matrix_field(std::string_view data)
{
    std::string field;
    auto hexadecimal = false;
    for (auto const each : data)
        if (each == '^' || each == '~' || each == '\\')
        {
            field += fmt::format("\\{:02X}", static_cast<unsigned char>(each));
            hexadecimal = true;
        }
        else
            field.append(each == matrix_escape ? 2 : 1, each);
    if (!hexadecimal)
        return "^FD" + field;
    return "^FH\\^FD" + field;
}

}  // namespace

std::string to_code128_field(std::string_view message)
{
    auto const first = message.find_first_not_of(fnc1);
    auto const digits = first == message.npos ? 0 : digits_at(message, first);
    auto pairs = digits >= pairs_pay_from || (digits == 2 && message.size() == 2);
    std::string field{pairs ? ">;" : ">:"};
    for (std::size_t at = 0; at < message.size();)
    {
        auto const run = digits_at(message, at);
        if (message[at] == fnc1)
        {
            field += ">8";
            ++at;
        }
        else if (pairs && run >= 2)
        {
            field += message.substr(at, 2);
            at += 2;
        }
        else if (pairs)
        {
            field += ">6";
            pairs = false;
        }
        else if (run >= pairs_pay_from && run % 2 == 0)
        {
            field += ">5";
            pairs = true;
        }
        else
            append_in_subset_b(field, message[at++]);
    }
    return field;
}

std::string to_zpl(symbol_data const& symbol, bool with_text, print_size const& size)
{
    auto const height = to_dots(size.height_mm, size.dots_per_inch);
    auto const text = with_text ? 'Y' : 'N';
    // 3: wide bars of ^B2 and ^BK are three modules, which scanners read best.
    auto const module = fmt::format("^BY{},3,{}", size.module_dots, height);
    std::string_view const data{symbol.data};
    switch (symbol.kind)
    {
    case symbology::code128:
    case symbology::gs1_128:
    case symbology::dpd:
        return fmt::format(
            "{}^BCN,{},{},N,N,N^FD{}^FS\n", module, height, text, linear_field(symbol)
        );
    case symbology::itf:
    case symbology::itf14:
    case symbology::identcode:
    case symbology::leitcode:  // N: the data already has its check digit
        return fmt::format("{}^B2N,{},{},N,N^FD{}^FS\n", module, height, text, data);
    case symbology::codabar:
        return fmt::format(
            "{}^BKN,N,{},{},N,{},{}^FD{}^FS\n",
            module,
            height,
            text,
            data.front(),
            data.back(),
            data.substr(1, data.size() - 2)
        );
    case symbology::datamatrix: break;
    }
    return fmt::format(
        "^BXN,{},200,,,,{}{}^FS\n", size.module_dots, matrix_escape, matrix_field(data)
    );
}

}  // namespace gapless
