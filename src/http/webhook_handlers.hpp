#pragma once

#include "http/exchange.hpp"

#include <boost/asio/awaitable.hpp>

namespace gapless {

/// GET /v1/webhooks ?after=&limit=: webhooks by id, without their secrets; a token that is for some
/// series sees those that are for no others.
boost::asio::awaitable<result<void>> get_webhooks(exchange& current);

/// POST /v1/webhooks {"url","kinds","series"}: 201 with the secret, this once; 422 for a URL that
/// may not be called, and for kinds that there are none of. A repeated key is 409, since the secret
/// is not shown again.
boost::asio::awaitable<result<void>> post_webhook(exchange& current);

/// GET /v1/webhooks/{id}: one of them; 404.
boost::asio::awaitable<result<void>> get_webhook(exchange& current);

/// DELETE /v1/webhooks/{id}: with all that it has not delivered; 204. 404, also the second time.
boost::asio::awaitable<result<void>> delete_webhook(exchange& current);

/// POST /v1/webhooks/{id}/rotate: 200 with the new secret, this once; the one before signs as well
/// for 24 h. 404, and 409 as above.
boost::asio::awaitable<result<void>> post_webhook_rotation(exchange& current);

/// POST /v1/webhooks/{id}/retry: 202; what waits is delivered now, also by one that is dead. 404.
boost::asio::awaitable<result<void>> post_webhook_retry(exchange& current);

/// POST /v1/webhooks/{id}/test: 202; a test is delivered, once. 404.
boost::asio::awaitable<result<void>> post_webhook_test(exchange& current);

}  // namespace gapless
