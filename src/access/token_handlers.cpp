#include "access/token_handlers.hpp"

#include "access/token_operations.hpp"
#include "access/token_service.hpp"
#include "http/path_id.hpp"

namespace gapless {

namespace asio = boost::asio;

asio::awaitable<result<void>> delete_token(exchange& current)
{
    tokens::revoke_token revoke{};
    revoke.id = read_path_id(current.path[0]);
    if (revoke.id == 0)
        co_return refusal{
            refusal_kind::not_found,
            "There is no token of this id. Ids are integers, as lists show them."};
    auto const id = revoke.id;
    auto const done =
        co_await current.service<record_service>().change(revoke, current.by(std::nullopt));
    if (done.has_error())
        co_return done.error();
    current.service<token_service>().forget_token(id);
    current.out.status = 204;
    co_return result<void>{};
}

}  // namespace gapless
