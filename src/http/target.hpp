#pragma once

#include "base/refusal.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace gapless {

/// The most parameters that a path or a query may have.
inline constexpr std::size_t parameters_max = 12;

/// Appends `text` with its percent-encoded bytes decoded. Refuses with malformed_request if a
/// percent sign is not followed by two hexadecimal digits, or the result is not UTF-8 or has a
/// control character other than FNC1 (0x1d). A plus sign stays one.
result<std::string> decode_percent(std::string_view text);

/// Appends `text`, encoded for a path or a query value.
void append_percent_encoded(std::string& target, std::string_view text);

/// Query parameters whose names are not known in advance.
using named_values = std::map<std::string, std::string, std::less<>>;

/// The parameters of a query, by index in the list of allowed names.
class query_values
{
public:
    /// Reads what follows the question mark; parameters not in `allowed` go to `more`. Refuses with
    /// malformed_request: a name that is not allowed if `more` is null, a repeated name, a wrong
    /// encoding.
    result<void> read(
        std::string_view query,
        std::span<std::string_view const> allowed,
        named_values* more = nullptr
    );

    /// The value of the parameter with that name, or none.
    std::optional<std::string_view> find(std::string_view name) const noexcept;

private:
    std::span<std::string_view const> names_;
    std::array<std::optional<std::string>, parameters_max> values_;
};

}  // namespace gapless
