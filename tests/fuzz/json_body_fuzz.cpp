#include "fuzz/fuzz.hpp"
#include "record/read.hpp"

#include <nlohmann/json.hpp>

#include <array>

using namespace gapless;
using namespace gapless::test;
using nlohmann::json;

namespace {

struct number_range
{
    std::string first;
    std::string last;
};
GAPLESS_RECORD(number_range, (), (first, "First."), (last, "Last."))

/// An input with a field of every kind.
struct everything
{
    std::optional<bounded<-1'000, 1'000>> integer;
    std::optional<bool> truth;
    std::optional<std::string> text;
    std::optional<decimal_digits> decimal;
    given<std::optional<quoted<std::int64_t>>> removable;
    texts_by_name map;
    given<std::optional<std::string>> removable_word;
    given<bool> kept;
    std::optional<written_number> number;
    std::optional<std::vector<number_range>> ranges;
    std::optional<std::vector<std::string>> words;
};
GAPLESS_RECORD(
    everything,
    (),
    (integer, "Small."),
    (truth, "Either."),
    (text, "Any."),
    (decimal, "Large."),
    (removable, "Null removes it."),
    (map, "Texts."),
    (removable_word, "Null removes it."),
    (kept, "Null cannot remove it."),
    (number, "As written."),
    (ranges, "Runs."),
    (words, "Texts.")
)

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

// Many programs have rounded larger ones before they sent them.
constexpr std::uint64_t exact_max = 9'007'199'254'740'991;

bool is_decimal(json const& value, bool within_int64)
{
    if (value.is_number_integer())
    {
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

/// What a record or a map inside of a body may hold: digits may stand without quotes.
bool is_inner_text(json const& value)
{
    return is_plain(value) ||
           (value.is_number_unsigned() && value.get<std::uint64_t>() <= exact_max);
}

bool is_range(json const& value)
{
    return value.is_object() && value.size() == 2 && value.contains("first") &&
           value.contains("last") && std::ranges::all_of(value, is_inner_text);
}

/// Whether a field may have a value; the same as its type says, from a tree.
bool takes(std::string_view name, json const& value)
{
    static constexpr std::array<std::string_view, 11> names{
        "integer",
        "truth",
        "text",
        "decimal",
        "removable",
        "map",
        "removable_word",
        "kept",
        "number",
        "ranges",
        "words"};
    if (value.is_null())  // as good as absent
        return name != "kept" && std::ranges::find(names, name) != names.end();
    if (name == "integer")
        return value.is_number_integer() && value >= -1'000 && value <= 1'000;
    if (name == "truth" || name == "kept")
        return value.is_boolean();
    if (name == "text" || name == "removable_word")
        return is_plain(value);
    if (name == "decimal")
        return is_decimal(value, false);
    if (name == "removable")
        return is_decimal(value, true);
    if (name == "map")
        return value.is_object() && std::ranges::all_of(value, is_inner_text);
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
    auto const same = [&](auto const& field, char const* name) {
        expect(field ? at(name) == *field : at(name).is_null(), "a value arrives as it is");
    };
    same(read.text, "text");
    same(read.truth, "truth");
    same(read.words, "words");
    same(read.removable_word.value, "removable_word");
    expect(read.removable_word.present == tree.contains("removable_word"), "null is told");
    expect(read.removable.present == tree.contains("removable"), "null is told from none");
    expect(read.kept.present == tree.contains("kept"), "what is not named is kept");
    expect(
        read.integer ? at("integer") == read.integer->value : at("integer").is_null(), "an integer"
    );
    auto const same_digits = [&](bool there, std::string const& digits, char const* name) {
        expect(there ? digits == digits_in(at(name)) : at(name).is_null(), "digits arrive");
    };
    same_digits(read.decimal.has_value(), read.decimal ? read.decimal->digits : "", "decimal");
    same_digits(read.number.has_value(), read.number ? read.number->text : "", "number");
    auto const& removable = read.removable.value;
    same_digits(
        removable.has_value(), removable ? std::to_string(removable->value) : "", "removable"
    );
    auto map = at("map").is_null() ? json::object() : at("map");
    for (auto& value : map)
        value = value.is_string() ? value : json(value.dump());
    expect(map == json(read.map), "an object of texts");
    expect(read.ranges.has_value() == !at("ranges").is_null(), "ranges are there");
    for (std::size_t n = 0; n < at("ranges").size(); ++n)
    {
        auto const& range = read.ranges->at(n);
        expect(digits_in(at("ranges")[n]["first"]) == range.first, "the first of a range");
        expect(digits_in(at("ranges")[n]["last"]) == range.last, "the last of a range");
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size)
{
    auto const text = fuzz_input{data, size}.rest();
    auto const& type = input_of<everything>;
    std::vector<raw_value> values(type.fields.size());
    auto const tree = acceptable(text);
    try
    {
        read_object(text, type.fields, values);
        auto const made = make_record(type, values, word_for_body);
        expect(tree.has_value(), "what no tree of the text allows is refused");
        check_values(*static_cast<everything const*>(made.get()), *tree);
    }
    catch (refused const& no)
    {
        expect(!tree, "what a tree of the text allows is accepted");
        expect(no.why.detail.size() < 400, "the detail is short, whatever the text is");
    }
    return 0;
}
