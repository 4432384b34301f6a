#pragma once

#include <nlohmann/json_fwd.hpp>

namespace gapless::test {

/// The OpenAPI document that is served.
nlohmann::json const& openapi();

/// What a value stands for: itself, or what its $ref leads to. Throws where that leads nowhere.
nlohmann::json const& resolve(nlohmann::json const& value);

}  // namespace gapless::test
