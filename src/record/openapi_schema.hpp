#pragma once

#include "record/operation.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gapless {

/// The status and the component of a refusal, "404" and "NotFound".
using described_refusal = std::pair<int, std::string_view>;

/// What every request that needs a token may be refused with, by what it has; in the order of the
/// status.
std::vector<described_refusal> usual_refusals(bool in_path, bool in_query, bool in_body);

/// "webhook_draft" is the schema "WebhookDraft".
std::string schema_title(std::string_view name);

/// Appends the paths of these features and the schemas they name, as an OpenAPI 3.1 document has
/// them: {"paths":{…},"components":{"schemas":{…}}}. What is the same for all, such as the refusals
/// and the key, is referred to and not in it.
void append_openapi(std::string& json, std::span<feature const* const> of);

}  // namespace gapless
