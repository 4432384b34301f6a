#include "app/openapi_document.hpp"

#include "app/openapi.hpp"

#include <nlohmann/json.hpp>

#include <stdexcept>
#include <string>

namespace gapless::test {

nlohmann::json const& openapi()
{
    static auto const document = nlohmann::json::parse(openapi_document());
    return document;
}

nlohmann::json const& resolve(nlohmann::json const& value)
{
    if (!value.is_object() || !value.contains("$ref"))
        return value;
    auto const target = value.at("$ref").get<std::string>();
    if (!target.starts_with("#/"))
        throw std::invalid_argument{"a reference out of the document: " + target};
    return openapi().at(nlohmann::json::json_pointer{target.substr(1)});
}

}  // namespace gapless::test
