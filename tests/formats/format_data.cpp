#include "formats/format_data.hpp"

#include <nlohmann/json.hpp>

#include <fstream>

namespace gapless::test {

nlohmann::json format_data(std::string const& file)
{
    std::ifstream stream{std::string{GAPLESS_SOURCE_DIR} + "/tests/data/formats/" + file};
    return nlohmann::json::parse(stream);
}

}  // namespace gapless::test
