#pragma once

#include "notices/notice.hpp"

#include <string>

/// The body of a webhook delivery.
namespace gapless {

/// The body for a receiver: {"type","timestamp","data"}, as in Standard Webhooks; data is the
/// notice. With "missed":true if earlier notices are gone and were never delivered.
std::string delivery_body(notice_record const& notice, bool missed);

}  // namespace gapless
