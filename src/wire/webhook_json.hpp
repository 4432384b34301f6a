#pragma once

#include "domain/notice.hpp"

#include <string>

/// What webhooks deliver.
namespace gapless {

/// What a receiver gets: {"type","timestamp","data"}, as Standard Webhooks has it; data is the
/// notice. The same however often it is sent.
std::string delivery_body(notice_record const& notice);

}  // namespace gapless
