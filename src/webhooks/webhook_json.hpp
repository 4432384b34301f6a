#pragma once

#include "notices/notice.hpp"

#include <string>

/// What webhooks deliver.
namespace gapless {

/// What a receiver gets: {"type","timestamp","data"}, as Standard Webhooks has it; data is the
/// notice. With "missed":true if notices before it are gone, and were never delivered.
std::string delivery_body(notice_record const& notice, bool missed);

}  // namespace gapless
