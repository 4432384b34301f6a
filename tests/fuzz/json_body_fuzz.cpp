#include "domain/limits.hpp"
#include "fuzz/fuzz.hpp"
#include "http/json_reader.hpp"

#include <nlohmann/json.hpp>

#include <array>

using namespace gapless;
using namespace gapless::test;
using nlohmann::json;

namespace {

/// An object with a field of every kind.
struct everything
{
    std::optional<std::int64_t> integer;
    std::optional<bool> truth;
    std::optional<std::string> text;
    decimal_text decimal;
    removable_integer removable;
    std::map<std::string, std::string> map;
    removable_text removable_word;
    written_number number;
    range_texts ranges;
    text_list words;
};

bool is_plain(json const& value)
{
    if (!value.is_string())
        return false;
    auto const& text = value.get_ref<std::string const&>();
    for (std::size_t n = 0; n < text.size(); ++n)
    {
        auto const byte = static_cast<unsigned char>(text[n]);
        auto const next = n + 1 < text.size() ? static_cast<unsigned char>(text[n + 1]) : 0U;
        if (byte < 0x20 || byte == 0x7f || (byte == 0xc2 && next >= 0x80 && next < 0xa0))
            return false;
    }
    return true;
}

bool is_decimal(json const& value, bool within_int64)
{
    if (value.is_number_integer())
    {
        // Many programs have rounded larger ones before they sent them.
        constexpr std::uint64_t exact_max = 9'007'199'254'740'991;
        return value.is_number_unsigned() ? value.get<std::uint64_t>() <= exact_max
                                          : value.get<std::int64_t>() == 0;  // -0
    }
    if (!value.is_string())
        return false;
    auto const& text = value.get_ref<std::string const&>();
    auto const all = text.find_first_not_of("0123456789") == std::string::npos;
    constexpr std::string_view largest{"9223372036854775807"};
    return all && !text.empty() && text.size() <= 40 && (text == "0" || text[0] != '0') &&
           (!within_int64 || text.size() < largest.size() ||
            (text.size() == largest.size() && text <= largest));
}

bool is_range(json const& value)
{
    auto const known = value.is_object() && value.contains("first") && is_plain(value["first"]);
    return known && (value.size() == 1 ||
                     (value.size() == 2 && value.contains("last") && is_plain(value["last"])));
}

/// Whether a field may have a value; the same as json_field says, from a tree.
bool takes(std::string_view name, json const& value)
{
    if (name == "integer")
        return value.is_number_integer() &&
               !(value.is_number_unsigned() && value.get<std::uint64_t>() > INT64_MAX);
    if (name == "truth")
        return value.is_boolean();
    if (name == "text" || name == "removable_word")
        return value.is_null() || is_plain(value);
    if (name == "decimal")
        return is_decimal(value, false);
    if (name == "removable")
        return value.is_null() || is_decimal(value, true);
    if (name == "map")
        return value.is_object() && std::ranges::all_of(value, is_plain);
    if (name == "number")
        return is_plain(value) || (value.is_number() && is_decimal(value, false));
    if (name == "words")
        return value.is_array() && std::ranges::all_of(value, is_plain);
    return name == "ranges" && value.is_array() && std::ranges::all_of(value, is_range);
}

std::size_t count_members(json const& value)
{
    std::size_t count = value.is_object() ? value.size() : 0;
    if (value.is_structured())
        for (auto const& each : value)
            count += count_members(each);
    return count;
}

/// The tree of a text that has to be accepted, or none. Two things stand in no tree: a key given
/// twice, which shows in the count of keys, and what nlohmann 3.11 lets pass: a byte order mark
/// and NUL.
std::optional<json> acceptable(std::string_view text)
{
    if (text.starts_with("\xef\xbb\xbf") || text.find('\0') != std::string_view::npos)
        return std::nullopt;
    std::size_t keys = 0;
    auto const count = [&](int, json::parse_event_t event, json&) {
        keys += event == json::parse_event_t::key ? 1U : 0U;
        return true;
    };
    auto tree = json::parse(text, count, false);
    if (!tree.is_object() || count_members(tree) != keys)
        return std::nullopt;
    for (auto const& [name, value] : tree.items())
        if (!takes(name, value))
            return std::nullopt;
    return tree;
}

std::string digits_in(json const& value)
{
    return value.is_string() ? value.get<std::string>() : value.dump();
}

void check_values(everything const& read, json const& tree)
{
    auto const at = [&](char const* name) { return tree.value(name, json{}); };
    auto const same_text = [&](std::optional<std::string> const& text, char const* name) {
        expect(text ? at(name) == *text : at(name).is_null(), "a text arrives as it is");
    };
    same_text(read.text, "text");
    same_text(read.removable_word.value, "removable_word");
    expect(read.removable_word.given == tree.contains("removable_word"), "null is told from none");
    expect(read.removable.given == tree.contains("removable"), "null is told from none");
    expect(read.integer ? at("integer") == *read.integer : at("integer").is_null(), "an integer");
    expect(read.truth ? at("truth") == *read.truth : at("truth").is_null(), "a truth");
    expect(read.decimal.digits.has_value() == tree.contains("decimal"), "a decimal is there");
    if (read.decimal.digits)
    {
        auto const& digits = *read.decimal.digits;
        expect(digits == digits_in(at("decimal")), "a decimal is canonical");
        auto const serial = read_decimal("decimal", digits, serial_max);
        expect(!serial || std::to_string(*serial) == digits, "a decimal is the same as an integer");
        expect(serial.has_value() || digits.size() >= 19, "a small decimal fits");
    }
    if (read.removable.value)
        expect(std::to_string(*read.removable.value) == digits_in(at("removable")), "its value");
    if (read.number.text)
        expect(*read.number.text == digits_in(at("number")), "a number as it was written");
    expect(tree.value("map", json::object()) == json(read.map), "an object of texts");
    expect(read.words.given == tree.contains("words"), "a list is there");
    expect(tree.value("words", json::array()) == json(read.words.items), "a list of texts");
    expect(read.ranges.given == tree.contains("ranges"), "ranges are there");
    expect(read.ranges.items.size() == at("ranges").size(), "every range");
    for (std::size_t n = 0; n < read.ranges.items.size(); ++n)
    {
        auto const& [first, last] = read.ranges.items[n];
        expect(first && at("ranges")[n]["first"] == *first, "the first of a range");
        expect(last.has_value() == at("ranges")[n].contains("last"), "the last of a range");
        expect(!last || at("ranges")[n]["last"] == *last, "the last of a range");
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size)
{
    auto const text = fuzz_input{data, size}.rest();
    everything read;
    std::array<json_field, 10> const fields{
        {{"integer", &read.integer},
         {"truth", &read.truth},
         {"text", &read.text},
         {"decimal", &read.decimal},
         {"removable", &read.removable},
         {"map", &read.map},
         {"removable_word", &read.removable_word},
         {"number", &read.number},
         {"ranges", &read.ranges},
         {"words", &read.words}}};
    auto const outcome = read_json_object(text, fields);
    auto const tree = acceptable(text);
    expect(outcome.has_value() == tree.has_value(), "what a tree of the text allows is accepted");
    if (tree)
        return check_values(read, *tree), 0;
    expect(outcome.error().kind == refusal_kind::malformed_request, "the refusal names the fault");
    expect(outcome.error().detail.size() < 400, "the detail is short, whatever the text is");
    return 0;
}
