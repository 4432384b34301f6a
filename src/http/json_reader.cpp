#include "http/json_reader.hpp"

#include "base/contract.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <bitset>
#include <charconv>
#include <limits>

namespace gapless {

namespace {

constexpr std::size_t fields_max = 16;
constexpr std::size_t shown_name_bytes_max = 64;

bool has_control_character(std::string_view text) noexcept
{
    for (std::size_t n = 0; n < text.size(); ++n)
    {
        auto const byte = static_cast<unsigned char>(text[n]);
        if (byte < 0x20 || byte == 0x7f)
            return true;
        // U+0080 to U+009F are control characters, too.
        if (byte == 0xc2 && n + 1 < text.size() && static_cast<unsigned char>(text[n + 1]) < 0xa0)
            return true;
    }
    return false;
}

bool is_canonical_decimal(std::string_view text) noexcept
{
    return !text.empty() && text.size() <= 40 && (text == "0" || text.front() != '0') &&
           std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

/// What a field has to be, in words, by the index of its place.
std::string_view wanted_kind(json_field::place const& target)
{
    static constexpr std::array<std::string_view, std::variant_size_v<json_field::place>> kinds{
        "an integer",
        "true or false",
        "a string",
        "an integer, or its decimal digits in a string",
        "an integer from 0, its decimal digits in a string, or null",
        "an object of strings"};
    return kinds[target.index()];
}

/// Puts what nlohmann's parser reads straight into the fields. Each function returns false to stop.
class field_handler
{
public:
    using json = nlohmann::json;

    explicit field_handler(std::span<json_field const> fields) : fields_{fields} {}

    std::optional<std::string> const& problem() const noexcept { return problem_; }

    bool key(std::string& name)
    {
        if (map_)
        {
            map_key_ = name;
            return map_->contains(name) ? fail_field("has a key twice") : true;
        }
        auto const found = std::ranges::find(fields_, std::string_view{name}, &json_field::name);
        if (found == fields_.end())
            return fail("The field \"" + name.substr(0, shown_name_bytes_max) + "\" is unknown.");
        field_ = &*found;
        auto const place = static_cast<std::size_t>(found - fields_.begin());
        if (seen_.test(place))
            return fail_field("is given twice");
        seen_.set(place);
        return true;
    }

    bool start_object(std::size_t)
    {
        if (!inside_)
            return inside_ = true;
        if (map_)
            return fail_kind();
        auto const target = target_as<std::map<std::string, std::string>>();
        map_ = target ? *target : nullptr;
        return map_ != nullptr || fail_kind();
    }

    bool end_object()
    {
        map_ = nullptr;
        return true;
    }

    bool start_array(std::size_t) { return fail_kind(); }
    bool end_array() { return true; }

    bool null()
    {
        if (!map_)
        {
            if (auto const text = target_as<std::optional<std::string>>())
                return (*text)->reset(), true;
            if (auto const integer = target_as<removable_integer>())
                return **integer = {.given = true, .value = std::nullopt}, true;
        }
        return fail_kind();
    }

    bool boolean(bool truth)
    {
        auto const target = target_as<std::optional<bool>>();
        return target ? (**target = truth, true) : fail_kind();
    }

    bool number_integer(std::int64_t number) { return take_integer(number); }

    bool number_unsigned(std::uint64_t number)
    {
        if (number <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
            return take_integer(static_cast<std::int64_t>(number));
        if (auto const decimal = target_as<decimal_text>())
            return (*decimal)->digits = std::to_string(number), true;
        return fail_kind();
    }

    bool number_float(double, std::string const&) { return fail_kind(); }

    bool string(std::string& text)
    {
        if (!field_)
            return fail_kind();
        if (has_control_character(text))
            return fail_field("holds a control character");
        if (map_)
            return map_->insert_or_assign(map_key_, std::move(text)), true;
        if (auto const target = target_as<std::optional<std::string>>())
            return **target = std::move(text), true;
        if (!is_canonical_decimal(text))
            return fail_kind();
        if (auto const target = target_as<decimal_text>())
            return (*target)->digits = std::move(text), true;
        auto const target = target_as<removable_integer>();
        std::int64_t number{};
        if (!target ||
            std::from_chars(text.data(), text.data() + text.size(), number).ec != std::errc{})
            return fail_kind();
        return **target = {.given = true, .value = number}, true;
    }

    bool binary(json::binary_t&) { return fail_kind(); }

    bool parse_error(std::size_t position, std::string const&, json::exception const&)
    {
        return fail(
            "The body is not JSON: it cannot be read at byte " + std::to_string(position) + "."
        );
    }

private:
    template <class Place>
    Place* const* target_as() const noexcept
    {
        return field_ && !map_ ? std::get_if<Place*>(&field_->target) : nullptr;
    }

    bool take_integer(std::int64_t number)
    {
        if (auto const target = target_as<std::optional<std::int64_t>>())
            return **target = number, true;
        if (number < 0)
            return fail_kind();
        if (auto const target = target_as<decimal_text>())
            return (*target)->digits = std::to_string(number), true;
        if (auto const target = target_as<removable_integer>())
            return **target = {.given = true, .value = number}, true;
        return fail_kind();
    }

    bool fail(std::string detail)
    {
        problem_ = std::move(detail);
        return false;
    }

    bool fail_field(std::string_view what)
    {
        return fail("The field \"" + std::string{field_->name} + "\" " + std::string{what} + ".");
    }

    bool fail_kind()
    {
        if (!field_)
            return fail("The body has to be a JSON object.");
        return fail_field("has to be " + std::string{wanted_kind(field_->target)});
    }

    std::span<json_field const> fields_;
    std::bitset<fields_max> seen_;
    json_field const* field_{};                  // whose value comes next, or came last
    std::map<std::string, std::string>* map_{};  // inside an object of texts
    std::string map_key_;
    bool inside_{};  // the outermost object
    std::optional<std::string> problem_;
};

}  // namespace

result<void> read_json_object(std::string_view text, std::span<json_field const> fields)
{
    ensure(fields.size() <= fields_max, "an object has few fields");
    // nlohmann 3.11 skips a byte order mark and takes a NUL for the end of the text.
    if (text.starts_with("\xef\xbb\xbf"))
        return refusal{refusal_kind::malformed_request, "The body begins with a byte order mark."};
    if (text.find('\0') != std::string_view::npos)
        return refusal{refusal_kind::malformed_request, "The body holds a NUL byte."};

    field_handler handler{fields};
    nlohmann::json::sax_parse(text.begin(), text.end(), &handler);
    if (handler.problem())
        return refusal{refusal_kind::malformed_request, *handler.problem()};
    return {};
}

result<std::int64_t> read_decimal(
    std::string_view field, std::string const& digits, std::int64_t most
)
{
    std::int64_t number{};
    auto const read = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (read.ec != std::errc{} || number > most)
        return refusal{
            refusal_kind::out_of_range,
            "The field \"" + std::string{field} + "\" has to be at most " + std::to_string(most) +
                "."};
    return number;
}

std::size_t count_characters(std::string_view text) noexcept
{
    auto const begins_one = [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; };
    return static_cast<std::size_t>(std::ranges::count_if(text, begins_one));
}

}  // namespace gapless
