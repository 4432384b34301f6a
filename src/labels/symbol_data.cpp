#include "labels/symbol_data.hpp"

#include "base/text.hpp"
#include "formats/parameter.hpp"

#include <algorithm>
#include <array>

namespace gapless {
namespace {

// First digits of the application identifiers whose elements have a predefined length, after the
// GS1 General Specifications, section 7.8.5: no FNC1 follows them.
constexpr std::array<std::string_view, 22> predefined_lengths{
    "00", "01", "02", "03", "04", "11", "12", "13", "14", "15", "16",
    "17", "18", "19", "20", "31", "32", "33", "34", "35", "36", "41"};

constexpr std::size_t sscc_characters = 20;  // with its 00

format_result<std::string> with_brackets(std::string const& data)
{
    if (data.starts_with('('))
        return data;
    if (data.size() == sscc_characters && data.starts_with("00") && all_digits(data))
        return "(00)" + data.substr(2);
    return format_refusal{
        "the data of a gs1-128 needs its application identifiers in brackets, such as (00), "
        "before ",
        printable(data)};
}

}  // namespace

format_result<symbol_data> read_symbol_data(barcode_content const& content, std::string_view number)
{
    if (content.symbology.empty())
        return symbol_data{symbology::code128, std::string{number}};
    auto const kind = find_symbology(content.symbology);
    if (!kind)
        return format_refusal{"there is no symbology '", printable(content.symbology), "'"};

    symbol_data made{*kind, content.data};
    if (*kind == symbology::itf && made.data.size() % 2 == 1)
        made.data.insert(0, 1, '0');
    if (*kind == symbology::codabar)
        made.data = to_upper(made.data);
    if (*kind != symbology::gs1_128)
        return made;
    auto const bracketed = with_brackets(made.data);
    if (bracketed.has_error())
        return bracketed.error();
    made.data = *bracketed;
    return made;
}

std::string to_gs1_message(std::string_view bracketed)
{
    std::string message{fnc1};
    while (!bracketed.empty())
    {
        auto const closing = std::min(bracketed.find(')'), bracketed.size() - 1);
        auto const end = std::min(bracketed.find('(', closing + 1), bracketed.size());
        auto const identifier = bracketed.substr(1, closing - 1);
        message.append(identifier).append(bracketed.substr(closing + 1, end - closing - 1));
        bracketed.remove_prefix(end);
        auto const is_predefined = std::ranges::find(predefined_lengths, identifier.substr(0, 2)) !=
                                   predefined_lengths.end();
        if (!bracketed.empty() && !is_predefined)
            message += fnc1;
    }
    return message;
}

}  // namespace gapless
