#pragma once

#include <nlohmann/json_fwd.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace gapless::test {

/// A JSON value in a test: an answer to look at, or a body to send. What tests need of
/// nlohmann::json, which takes three seconds to compile and is seen by the source file alone.
///
/// Members and elements share what they are part of, so that copies cost nothing. What asks for
/// something that is not there, or for a value of another type, throws std::exception.
class json_value
{
public:
    json_value(std::nullptr_t = nullptr) {}
    json_value(bool truth);
    json_value(double number);
    json_value(char const* text);
    json_value(std::string const& text);

    template <std::integral Number>
    json_value(Number number) : json_value{to_integer(number)}
    {
    }

    /// An object when every element is a list of a text and something else, otherwise a list; as
    /// nlohmann::json has it.
    json_value(std::initializer_list<json_value> elements);

    /// Throws when the text is not JSON.
    static json_value parse(std::string_view text);

    /// The same, but null when it is not.
    static json_value parse_or_null(std::string_view text);

    bool is_null() const noexcept { return value_ == nullptr; }
    bool is_string() const noexcept;
    bool contains(std::string const& member) const;

    /// How many elements or members; 0 of null, 1 of anything else. As nlohmann::json has it.
    std::size_t size() const noexcept;
    bool empty() const noexcept { return size() == 0; }

    json_value operator[](char const* member) const { return at(member); }
    json_value operator[](std::string const& member) const { return at(member); }
    json_value at(std::string const& member) const;

    template <std::integral Index>
    json_value operator[](Index index) const
    {
        return at_index(static_cast<std::size_t>(index));
    }
    json_value back() const { return at_index(size() - 1); }

    /// Elements of a list or values of an object, in their order. Empty for null.
    std::vector<json_value> elements() const;

    /// A text; throws for anything else.
    std::string text() const;

    /// The text of a member; "" where this is no object or has no such member.
    std::string text_of(std::string const& member) const;

    /// Sets a member of an object. Copies that were made before keep what they have.
    void set(std::string const& member, json_value const& value);

    /// Without spaces, members sorted by name.
    std::string dump() const;

    friend bool operator==(json_value const& left, json_value const& right);
    friend std::ostream& operator<<(std::ostream& out, json_value const& value);

private:
    struct integer
    {
        std::uint64_t magnitude;
        bool negative;
    };
    using shared = std::shared_ptr<nlohmann::json const>;  // none: null

    template <std::integral Number>
    static integer to_integer(Number number)
    {
        auto const bits = static_cast<std::uint64_t>(number);
        return number < 0 ? integer{0 - bits, true} : integer{bits, false};
    }

    explicit json_value(integer number);
    explicit json_value(shared value);

    nlohmann::json const& value() const noexcept;
    json_value at_index(std::size_t index) const;
    json_value part(nlohmann::json const& of_this) const;

    shared value_{};
};

}  // namespace gapless::test
