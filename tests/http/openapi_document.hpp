#pragma once

#include "http/embedded_documents.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace gapless::test {

/// The OpenAPI document that is served.
inline nlohmann::json const& openapi()
{
    static auto const document = nlohmann::json::parse(embedded_openapi());
    return document;
}

/// What a value stands for: itself, or what its $ref leads to. Throws where that leads nowhere.
inline nlohmann::json const& resolve(nlohmann::json const& value)
{
    if (!value.is_object() || !value.contains("$ref"))
        return value;
    auto const target = value.at("$ref").get<std::string>();
    if (!target.starts_with("#/"))
        throw std::invalid_argument{"a reference out of the document: " + target};
    return openapi().at(nlohmann::json::json_pointer{target.substr(1)});
}

}  // namespace gapless::test
