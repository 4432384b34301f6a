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
    auto identity = read_identity(current);
    if (identity.has_error())
        co_return identity.error();
    auto const declaration = read_declaration_json(current.body);
    if (declaration.has_error())
        co_return declaration.error();
    renderer<number_declaration> render = [](number_declaration const& declared) {
        kept_answer made{.status = 201, .location = "/v1/formats/", .body = {}};
        append_percent_encoded(made.location, declared.name);
        made.body = to_declaration_json(declared);
        return made;
    };
    auto made = co_await current.service().declare_format(
        *declaration, current.actor(), std::move(*identity), std::move(render)
    );
    if (made.has_error())
        co_return made.error();
    write_kept(current, std::move(*made));
    co_return result<void>{};
}

}  // namespace gapless
