#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace gapless::test {

/// A file of tests/data/formats.
nlohmann::json format_data(std::string const& file);

}  // namespace gapless::test
