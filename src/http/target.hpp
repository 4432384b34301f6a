#pragma once

#include "domain/refusal.hpp"

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace gapless {

/// Most parameters a path or a query of ours has.
inline constexpr std::size_t parameters_max = 3;

/// Appends `text` with its percent-encoded bytes decoded. Refuses with malformed_request when a
/// percent sign is not followed by two hexadecimal digits, or when a control character or a byte
/// beyond UTF-8 comes out. A plus sign is a plus sign.
result<std::string> decode_percent(std::string_view text);

/// The parameters of a query, by their place in the list of allowed names.
class query_values
{
public:
    /// Reads what follows the question mark. Refuses with malformed_request: a name that is not
    /// allowed, one given twice, wrong encoding.
    result<void> read(std::string_view query, std::span<std::string_view const> allowed);

    /// The value of the parameter with that name, or none.
    std::optional<std::string_view> find(std::string_view name) const noexcept;

    /// The truth of the parameter with that name, or none. Refuses with malformed_request when it
    /// is neither "true" nor "false".
    result<std::optional<bool>> read_truth(std::string_view name) const;

private:
    std::span<std::string_view const> names_;
    std::array<std::optional<std::string>, parameters_max> values_;
};

}  // namespace gapless
