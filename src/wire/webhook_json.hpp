#pragma once

#include "domain/webhook.hpp"

#include <string>

/// Webhooks as the JSON objects of the contract, and what they deliver.
namespace gapless {

/// Appends a webhook as a list shows it: without its secret.
void append_webhook(webhook_record const& webhook, std::string& json);

/// Appends a webhook with its secret behind, which is left out if it is empty.
void append_secret_webhook(secret_webhook const& webhook, std::string& json);

/// What a receiver gets: {"type","timestamp","data"}, as Standard Webhooks has it; data is the
/// notice. The same however often it is sent.
std::string delivery_body(notice_record const& notice);

}  // namespace gapless
