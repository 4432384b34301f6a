#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gapless {

/// Where an issuance begins in the ledger. Its text form is decimal digits and opaque to clients.
///
///   id := [ '9' D turn | '9' '0' ] D series_id ordinal
///
///   D = number of digits of the next part, 1 to 9 for turn, 1 to 8 for series_id
///   111042 is series 1, ordinal 1042; 912111042 the same numbers when they left for another time,
///   in turn 2; 90111042 when they were drawn from a reserve, in a turn that is known once they
///   are settled
///
/// Derived from the ledger's primary key instead of stored, so that an issuance needs no index of
/// its own.
struct issuance_id
{
    std::int32_t series_id{};  // 1..99'999'999
    std::int32_t turn{};       // from 0
    std::int64_t ordinal{};    // from 1
    bool reserve{};            // drawn from a reserve: the id does not tell the turn

    friend bool operator==(issuance_id const&, issuance_id const&) = default;
};

/// The id of the same place, as drawn from a reserve.
constexpr issuance_id to_answered_id(issuance_id const& place) noexcept
{
    return {.series_id = place.series_id, .ordinal = place.ordinal, .reserve = true};
}

/// Appends the text form of an id.
void append_issuance_id(std::string& text, issuance_id const& id);

/// The id that a text stands for, or nullopt if no issuance can have it.
std::optional<issuance_id> read_issuance_id(std::string_view text) noexcept;

}  // namespace gapless
