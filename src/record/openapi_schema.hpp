#pragma once

#include "record/operation.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gapless {

/// The status and the component of a refusal, "404" and "NotFound".
using described_refusal = std::pair<int, std::string_view>;

/// How every request that needs a token may be refused, depending on its parts; ordered by status.
std::vector<described_refusal> usual_refusals(bool in_path, bool in_query, bool in_body);

/// "webhook_draft" is the schema "WebhookDraft".
std::string schema_title(std::string_view name);

/// Appends the paths of these features and their schemas in the format of an OpenAPI 3.1 document:
/// {"paths":{…},"components":{"schemas":{…}}}. What all operations share, such as refusals and the
/// key, is only referred to.
void append_openapi(std::string& json, std::span<feature const* const> of);

}  // namespace gapless
