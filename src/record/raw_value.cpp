#include "record/raw_value.hpp"

#include "base/contract.hpp"
#include "base/limits.hpp"
#include "base/text.hpp"
#include "base/written_value.hpp"
#include "record/not_json.hpp"
#include "record/refused.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>

namespace gapless {

namespace {

/// Most bytes of an unknown name that a refusal repeats.
constexpr std::size_t shown_name_bytes_max = 64;

/// Most members of an object inside a body, far beyond what any takes: each is compared with those
/// before it.
constexpr std::size_t members_max = 64;

/// 2^53-1: the largest integer that survives a round trip through a double.
constexpr std::uint64_t exact_integer_max = 9'007'199'254'740'991;

/// Digits without a sign or a leading zero, 40 at most.
constexpr bool is_canonical_decimal(std::string_view text) noexcept
{
    return !text.empty() && text.size() <= 40 && (text == "0" || text.front() != '0') &&
           std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

using json = nlohmann::json;

refused malformed(std::string detail)
{
    return {refusal_kind::malformed_request, std::move(detail)};
}

/// The fields a body may have, including those of the objects in lists.
std::string list_fields(std::span<input_field const> fields)
{
    std::string names;
    for (auto const& each : fields)
    {
        if (each.accepts == takes_header)
            continue;
        names.append(names.empty() ? "" : ", ").append(each.name);
        if ((each.accepts & takes_objects) != 0)
            names.append(" (").append(each.wanted) += ')';
    }
    return names.empty() ? "none" : names;
}

/// Receives nlohmann's parse events and fills raw values. Throws refused to stop the parser.
class object_handler
{
public:
    object_handler(
        std::string_view text, std::span<input_field const> fields, std::span<raw_value> values
    )
        : text_{text},
          fields_{fields},
          values_{values}
    {
    }

    bool key(std::string& name)
    {
        if (members_)
        {
            if (members_->size() == members_max)
                fail("has too many keys");
            if (std::ranges::find(*members_, name, &raw_object::value_type::first) !=
                members_->end())
                fail("has a key twice");
            members_->emplace_back(std::move(name), std::string{});
            return true;
        }
        auto const found = std::ranges::find(fields_, std::string_view{name}, &input_field::name);
        if (found == fields_.end() || found->accepts == takes_header)
            throw malformed(
                "The field \"" + name.substr(0, shown_name_bytes_max) +
                "\" is unknown: this body takes " + list_fields(fields_) + '.'
            );
        field_ = &*found;
        value_ = &values_[static_cast<std::size_t>(found - fields_.begin())];
        if (!std::holds_alternative<std::monostate>(*value_))
            fail("is given twice");
        return true;
    }

    bool start_object(std::size_t)
    {
        if (!inside_)
            return inside_ = true;
        if (members_)
            fail_kind();
        if (in_list_)
        {
            auto* const list = std::get_if<std::vector<raw_object>>(value_);
            if (!list)
                fail_kind();
            members_ = &list->emplace_back();
            return true;
        }
        require(takes_object, "an object");
        members_ = &value_->emplace<raw_object>();
        return true;
    }

    bool end_object()
    {
        ended_ = members_ == nullptr;
        members_ = nullptr;
        return true;
    }

    bool start_array(std::size_t)
    {
        require(takes_list | takes_objects, "a list");
        in_list_ = true;
        if ((field_->accepts & takes_list) != 0)
            value_->emplace<std::vector<std::string>>();
        else
            value_->emplace<std::vector<raw_object>>();
        return true;
    }

    bool end_array()
    {
        in_list_ = false;
        return true;
    }

    bool null()
    {
        if (!field_ || in_list_ || members_)
            fail_kind();
        if (field_->kept && (field_->accepts & takes_null) == 0)
            throw refused{
                refusal_kind::out_of_range,
                word_for_body(*field_, " cannot be removed: leave it out to keep it as it is")};
        *value_ = nullptr;
        return true;
    }

    bool boolean(bool truth)
    {
        require(takes_truth, truth ? "true" : "false");
        *value_ = truth;
        return true;
    }

    bool number_integer(std::int64_t number)
    {
        if (number < 0)
            require(takes_integer, "a negative number");
        else  // -0
            require(takes_integer | takes_digits, "a number");
        *value_ = number;
        return true;
    }

    bool number_unsigned(std::uint64_t number)
    {
        if (!members_)
            require(takes_integer | takes_digits, "a number");
        constexpr std::uint64_t most = std::numeric_limits<std::int64_t>::max();
        auto const is_text = members_ || (field_->accepts & takes_digits) != 0;
        if (is_text && number > exact_integer_max)
            fail(
                "is " + std::to_string(number) + ": an integer above " +
                std::to_string(exact_integer_max) +
                " is rounded by many programs before it is sent; write the digits in a string"
            );
        if (members_)
        {
            members_->back().second = std::to_string(number);
            return true;
        }
        if (number > most)
            fail_kind();
        *value_ = static_cast<std::int64_t>(number);
        return true;
    }

    bool number_float(double, std::string const& written)
    {
        auto const is_whole = written.find_first_of(".eE") == written.npos;
        fail_kind(is_whole ? "one of so many digits" : "a number with a fraction or an exponent");
    }

    bool string(std::string& text)
    {
        if (!field_)
            fail_kind("a string");
        constexpr unsigned of_a_number = takes_digits | takes_text;
        if ((field_->accepts & of_a_number) == of_a_number || (in_list_ && members_))
            std::erase(text, '\x1d');  // FNC1, as scanners send it
        if (written::has_control_character(text))
            fail("holds a control character");
        if (members_)
        {
            members_->back().second = std::move(text);
            return true;
        }
        if (in_list_)
        {
            auto* const list = std::get_if<std::vector<std::string>>(value_);
            if (!list)
                fail_kind();
            list->push_back(std::move(text));
            return true;
        }
        require(takes_text | takes_digits, "a string");
        if ((field_->accepts & takes_text) == 0 && !is_canonical_decimal(text))
            fail_kind();
        *value_ = std::move(text);
        return true;
    }

    bool binary(json::binary_t&) { fail_kind(); }

    bool parse_error(std::size_t position, std::string const&, json::exception const& error)
    {
        constexpr int number_overflow = 406;
        if (error.id == number_overflow)
            fail_kind("a number of that size");
        throw malformed(why_not_json(text_, position, ended_));
    }

private:
    void require(unsigned kinds, std::string_view found) const
    {
        if (!field_ || in_list_ || members_ || (field_->accepts & kinds) == 0)
            fail_kind(found);
    }

    [[noreturn]] void fail(std::string const& what) const
    {
        throw malformed("The field \"" + std::string{field_->name} + "\" " + what + ".");
    }

    /// `found`: what came instead; empty inside a list or an object.
    [[noreturn]] void fail_kind(std::string_view found = {}) const
    {
        std::string what{"has to be "};
        what.append(field_ ? field_->wanted : "a JSON object");
        if (!found.empty() && !in_list_ && !members_)
            what.append(", not ").append(found);
        if (!field_)
            throw malformed("The body " + what + '.');
        fail(what);
    }

    std::string_view text_;
    std::span<input_field const> fields_;
    std::span<raw_value> values_;
    input_field const* field_{};  // the field of the last key
    raw_value* value_{};
    raw_object* members_{};  // of the object in a field
    bool inside_{};
    bool in_list_{};
    bool ended_{};
};

}  // namespace

std::int64_t to_integer(raw_value const& raw, integer_bounds bounds)
{
    auto number = std::numeric_limits<std::int64_t>::min();
    if (auto const* const text = std::get_if<std::string>(&raw))
    {
        auto const is_negative = text->starts_with('-');
        if (!all_digits(std::string_view{*text}.substr(is_negative ? 1 : 0)))
            throw wrong_field{refusal_kind::malformed_request, " has to be an integer"};
        // What does not fit stays below every lower bound.
        number = read_decimal<std::int64_t>(*text).value_or(number);
    }
    else
        number = std::get<std::int64_t>(raw);
    if (number < bounds.least || number > bounds.most)
        throw wrong_field{
            refusal_kind::out_of_range,
            " has to be " + std::to_string(bounds.least) + " to " + std::to_string(bounds.most)};
    return number;
}

std::int32_t to_id(raw_value const& raw)
{
    auto const* const text = std::get_if<std::string>(&raw);
    if (text && !is_canonical_decimal(*text))
        throw wrong_field{refusal_kind::malformed_request, " has to be an id: 1, 2, 3"};
    return static_cast<std::int32_t>(to_integer(raw, bounds_of<record_id>));
}

if_match to_if_match(std::string_view header)
{
    if (header == "*")
        return {};
    auto const weak = header.starts_with("W/");
    auto text = header.substr(weak ? 2 : 0);
    if (text.size() < 2 || !text.starts_with('"') || text.find('"', 1) != text.size() - 1)
        throw malformed(R"(If-Match has to be one ETag in its quotes, such as "7", or *.)");
    text = text.substr(1, text.size() - 2);
    auto const version = read_decimal<std::int32_t>(text);
    if (weak || !version)
        throw refused{
            refusal_kind::precondition_failed,
            "If-Match names no version this record ever had: send the ETag of GET as it is."};
    return {*version};
}

bool to_truth(raw_value const& raw)
{
    if (auto const* const truth = std::get_if<bool>(&raw))
        return *truth;
    auto const& text = std::get<std::string>(raw);
    if (text != "true" && text != "false")
        throw wrong_field{refusal_kind::malformed_request, " has to be true or false"};
    return text == "true";
}

void check_reason(std::string_view reason, std::string_view field)
{
    if (reason.find_first_not_of(" \t\r\n") == reason.npos ||
        count_characters(reason) > reference_characters_max)
        throw wrong_field{
            refusal_kind::out_of_range,
            " has to have 1 to " + std::to_string(reference_characters_max) + " characters",
            field};
}

void read_object(
    std::string_view text, std::span<input_field const> fields, std::span<raw_value> values
)
{
    if (auto why = why_not_text(text); !why.empty())
        throw malformed(std::move(why));
    object_handler handler{text, fields, values};
    json::sax_parse(text.begin(), text.end(), &handler);
}

std::string word_for_body(input_field const& field, std::string_view what)
{
    return "The field \"" + std::string{field.name} + '"' + std::string{what} + '.';
}

std::string word_for_query(input_field const& field, std::string_view what)
{
    return "The query parameter " + std::string{field.name} + std::string{what} + '.';
}

void fill_record(
    input_type const& type, std::span<raw_value> values, field_wording const& wording, void* into
)
{
    for (std::size_t n = 0; n < values.size(); ++n)
    {
        auto const& field = type.fields[n];
        auto& value = values[n];
        if (std::holds_alternative<std::nullptr_t>(value) && (field.accepts & takes_null) == 0)
            value = std::monostate{};
        if (std::holds_alternative<std::monostate>(value) && field.required)
            throw malformed(wording(field, " is missing"));
    }
    input_field const* reading{};
    try
    {
        for (std::size_t n = 0; n < values.size(); ++n)
        {
            reading = &type.fields[n];
            if (!std::holds_alternative<std::monostate>(values[n]))
                reading->take(values[n], into);
        }
        reading = nullptr;  // a check names its field
        type.check(into);
    }
    catch (wrong_field const& why)
    {
        if (!why.field.empty())
            reading = &*std::ranges::find(type.fields, why.field, &input_field::name);
        ensure(reading, "a check names the field that is wrong");
        throw refused{why.kind, wording(*reading, why.detail)};
    }
}

std::shared_ptr<void> make_record(
    input_type const& type, std::span<raw_value> values, field_wording const& wording
)
{
    auto made = type.make();
    fill_record(type, values, wording, made.get());
    return made;
}

}  // namespace gapless
