#include "http/health_handlers.hpp"

#include "http/record_json.hpp"

namespace gapless {

namespace asio = boost::asio;

asio::awaitable<result<void>> get_liveness(exchange& current)
{
    current.out.body = R"({"status":"ok"})";
    co_return result<void>{};
}

asio::awaitable<result<void>> get_readiness(exchange& current)
{
    auto const found = current.service().known_readiness();
    if (!found.ready())
    {
        current.out.status = 503;
        current.out.retry_after_seconds = current.state.problems.to_retry_after({});
    }
    append_readiness(found, current.out.body);
    co_return result<void>{};
}

}  // namespace gapless
