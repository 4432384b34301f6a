#include "http/openapi.hpp"

#include "http/embedded_documents.hpp"
#include "operation/openapi.hpp"

#include <nlohmann/json.hpp>

namespace gapless {

namespace {

using json = nlohmann::ordered_json;

std::string make_document()
{
    auto document = json::parse(embedded_openapi());
    std::string text;
    append_openapi(text, features());
    auto const made = json::parse(text);
    for (auto const& [path, methods] : made["paths"].items())
        document["paths"][path].update(methods);
    document["components"]["schemas"].update(made["components"]["schemas"]);
    return document.dump(/*indent=*/2);
}

}  // namespace

std::string const& openapi_document()
{
    static auto const document = make_document();
    return document;
}

}  // namespace gapless
