#include "http/format_handlers.hpp"

#include "http/request_body.hpp"
#include "http/target.hpp"
#include "store/format_store.hpp"

#include <algorithm>

namespace gapless {

namespace asio = boost::asio;

asio::awaitable<result<void>> get_formats(exchange& current)
{
    auto const found = co_await current.service().list_formats();
    if (found.has_error())
        co_return found.error();
    auto& json = current.out.body;
    json += R"({"items":[)";
    for (auto const& format : *found)
    {
        if (json.back() != '[')
            json += ',';
        json += to_declaration_json(format);
    }
    json += R"(],"next":null})";
    co_return result<void>{};
}

asio::awaitable<result<void>> get_format(exchange& current)
{
    auto const found = co_await current.service().list_formats();
    if (found.has_error())
        co_return found.error();
    auto const format = std::ranges::find(*found, current.path[0], &number_declaration::name);
    if (format == found->end())
        co_return refusal{refusal_kind::not_found, "There is no format of this name."};
    current.out.body += to_declaration_json(*format);
    co_return result<void>{};
}

asio::awaitable<result<void>> post_format(exchange& current)
{
    if (auto const checked = check_body_type(current); checked.has_error())
        co_return checked.error();
    if (auto const identity = read_identity(current); identity.has_error())
        co_return identity.error();
    auto const declaration = read_declaration_json(current.body);
    if (declaration.has_error())
        co_return declaration.error();
    auto const kept = co_await current.service().declare_format(*declaration, current.actor());
    if (kept.has_error())
        co_return kept.error();
    current.out.status = 201;
    current.out.location = "/v1/formats/";
    append_percent_encoded(current.out.location, declaration->name);
    current.out.body += to_declaration_json(*declaration);
    co_return result<void>{};
}

}  // namespace gapless
