#include "harness/json_value.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <ostream>

namespace gapless::test {

using nlohmann::json;

json_value::json_value(bool truth) : json_value{std::make_shared<json const>(truth)} {}

json_value::json_value(double number) : json_value{std::make_shared<json const>(number)} {}

json_value::json_value(char const* text) : json_value{std::make_shared<json const>(text)} {}

json_value::json_value(std::string const& text) : json_value{std::make_shared<json const>(text)} {}

json_value::json_value(integer number)
    : json_value{
          number.negative
              ? std::make_shared<json const>(static_cast<std::int64_t>(0 - number.magnitude))
              : std::make_shared<json const>(number.magnitude)}
{
}

json_value::json_value(std::initializer_list<json_value> elements)
{
    auto const is_member = [](json_value const& each) {
        return each.value().is_array() && each.size() == 2 && each.value()[0].is_string();
    };
    auto const is_object = std::ranges::all_of(elements, is_member);
    auto built = is_object ? json::object() : json::array();
    for (auto const& each : elements)
        if (is_object)
            built[each.value()[0].get<std::string>()] = each.value()[1];
        else
            built.push_back(each.value());
    value_ = std::make_shared<json const>(std::move(built));
}

json_value::json_value(shared value) : value_{value && value->is_null() ? nullptr : value} {}

json_value json_value::parse(std::string_view text)
{
    return json_value(std::make_shared<json const>(json::parse(text)));
}

json_value json_value::parse_or_null(std::string_view text)
{
    auto read = json::parse(text, nullptr, /*allow_exceptions=*/false);
    return read.is_discarded() ? json_value(nullptr)
                               : json_value(std::make_shared<json const>(std::move(read)));
}

bool json_value::is_string() const noexcept
{
    return value().is_string();
}

bool json_value::contains(std::string const& member) const
{
    return value().contains(member);
}

std::size_t json_value::size() const noexcept
{
    return value().size();
}

json_value json_value::at(std::string const& member) const
{
    return part(value().at(member));
}

json_value json_value::at_index(std::size_t index) const
{
    return part(value().at(index));
}

std::vector<json_value> json_value::elements() const
{
    std::vector<json_value> all;
    for (auto const& each : value())
        all.push_back(part(each));
    return all;
}

std::string json_value::text() const
{
    return value().get<std::string>();
}

std::string json_value::text_of(std::string const& member) const
{
    return value().is_object() ? value().value(member, "") : "";
}

void json_value::set(std::string const& member, json_value const& value)
{
    auto changed = this->value();
    changed[member] = value.value();
    value_ = std::make_shared<json const>(std::move(changed));
}

std::string json_value::dump() const
{
    return value().dump();
}

nlohmann::json const& json_value::value() const noexcept
{
    static json const null;
    return value_ ? *value_ : null;
}

json_value json_value::part(nlohmann::json const& of_this) const
{
    return json_value(shared{value_, &of_this});
}

bool operator==(json_value const& left, json_value const& right)
{
    return left.value() == right.value();
}

std::ostream& operator<<(std::ostream& out, json_value const& value)
{
    return out << value.value();
}

}  // namespace gapless::test
