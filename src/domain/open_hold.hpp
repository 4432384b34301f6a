#pragma once

#include "domain/issuance.hpp"
#include "domain/issuance_id.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace gapless {

/// A hold that has numbers still held.
struct open_hold
{
    issuance_id issuance;
    std::string series;
    std::int64_t held{};  // numbers
    std::optional<std::string> reference;
    bool reference_erased{};  // there was one, nobody knows it any more
    database_time expires_at{};
};

/// Where a hold stands among those that are open: they are listed by expiry.
struct hold_place
{
    database_time expires_at{};
    issuance_id issuance;
};

}  // namespace gapless
