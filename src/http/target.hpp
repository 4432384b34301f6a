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

/// Most parameters a path or a query of ours has.
inline constexpr std::size_t parameters_max = 12;

/// Appends `text` with its percent-encoded bytes decoded. Refuses with malformed_request when a
/// percent sign is not followed by two hexadecimal digits, or when a control character other than
/// FNC1 (0x1d) or a byte beyond UTF-8 comes out. A plus sign is a plus sign.
result<std::string> decode_percent(std::string_view text);

/// Appends `text` so that it can stand in a path or as a value in a query.
void append_percent_encoded(std::string& target, std::string_view text);

/// Parameters of a query whose names are not known beforehand.
using named_values = std::map<std::string, std::string, std::less<>>;

/// The parameters of a query, by their place in the list of allowed names.
class query_values
{
public:
    /// Reads what follows the question mark; what is not in `allowed` goes to `more`. Refuses with
    /// malformed_request: a name that is not allowed when there is no `more`, one given twice,
    /// wrong encoding.
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
