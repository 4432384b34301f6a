#include "http/field_handler.hpp"

#include "base/json_value.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

namespace gapless {

namespace {

/// What a field has to be, in words, by the index of its place.
std::string_view wanted_kind(json_field::place const& target)
{
    static constexpr std::array<std::string_view, std::variant_size_v<json_field::place>> kinds{
        "an integer",
        "true or false",
        "a string",
        "an integer, or its decimal digits in a string",
        "an integer from 0, its decimal digits in a string, or null",
        "an object of strings",
        "a string or null"};
    return kinds[target.index()];
}

}  // namespace

bool field_handler::key(std::string& name)
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

bool field_handler::start_object(std::size_t)
{
    if (!inside_)
        return inside_ = true;
    auto const target = target_as<std::map<std::string, std::string>>();
    if (!target)
        return fail_kind();
    map_ = *target;
    return true;
}

bool field_handler::end_object()
{
    map_ = nullptr;
    return true;
}

bool field_handler::null()
{
    if (!field_ || map_)
        return fail_kind();
    if (auto const text = target_as<removable_text>())
        return **text = {.given = true, .value = std::nullopt}, true;
    if (auto const integer = target_as<removable_integer>())
        return **integer = {.given = true, .value = std::nullopt}, true;
    if (null_ == null_means::removed)
    {
        kind_ = refusal_kind::out_of_range;
        return fail_field("cannot be removed: leave it out to keep it as it is");
    }
    return true;
}

bool field_handler::boolean(bool truth)
{
    auto const target = target_as<std::optional<bool>>();
    return target ? (**target = truth, true) : fail_kind();
}

bool field_handler::number_unsigned(std::uint64_t number)
{
    // A counted thing has a bound far below, which is told instead.
    constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    auto const counted = target_as<std::optional<std::int64_t>>() && number <= most;
    if (number <= exact_integer_max || counted)
        return take_integer(static_cast<std::int64_t>(number));
    if (target_as<decimal_text>() || target_as<removable_integer>())
        return fail_field(
            "is " + std::to_string(number) + ": an integer above " +
            std::to_string(exact_integer_max) +
            " is rounded by many programs before it is sent; write the digits in a string"
        );
    return fail_kind();
}

bool field_handler::string(std::string& text)
{
    if (!field_)
        return fail_kind();
    if (has_control_character(text))
        return fail_field("holds a control character");
    if (map_)
        return map_->insert_or_assign(map_key_, std::move(text)), true;
    return take_text(text);
}

bool field_handler::take_text(std::string& text)
{
    if (auto const target = target_as<std::optional<std::string>>())
        return **target = std::move(text), true;
    if (auto const target = target_as<removable_text>())
        return **target = {.given = true, .value = std::move(text)}, true;
    return is_canonical_decimal(text) ? take_digits(text) : fail_kind();
}

bool field_handler::take_digits(std::string& text)
{
    if (auto const target = target_as<decimal_text>())
        return (*target)->digits = std::move(text), true;
    auto const target = target_as<removable_integer>();
    std::int64_t number{};
    if (!target ||
        std::from_chars(text.data(), text.data() + text.size(), number).ec != std::errc{})
        return fail_kind();
    return **target = {.given = true, .value = number}, true;
}

bool field_handler::take_integer(std::int64_t number)
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

bool field_handler::fail_parse(std::size_t position)
{
    return fail(
        "The body is not JSON: it cannot be read at byte " + std::to_string(position) + "."
    );
}

bool field_handler::fail(std::string detail)
{
    problem_ = std::move(detail);
    return false;
}

bool field_handler::fail_field(std::string_view what)
{
    return fail("The field \"" + std::string{field_->name} + "\" " + std::string{what} + ".");
}

bool field_handler::fail_kind()
{
    if (!field_)
        return fail("The body has to be a JSON object.");
    return fail_field("has to be " + std::string{wanted_kind(field_->target)});
}

}  // namespace gapless
