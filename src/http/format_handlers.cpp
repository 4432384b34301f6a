#include "http/format_handlers.hpp"

#include "cases/formats.hpp"
#include "http/list_page.hpp"
#include "http/request_body.hpp"
#include "http/target.hpp"
#include "wire/format_json.hpp"
#include "wire/json_writer.hpp"

#include <algorithm>
#include <span>

namespace gapless {

namespace asio = boost::asio;

asio::awaitable<result<void>> get_formats(exchange& current)
{
    auto const limit = read_limit(current, names_usual);
    if (limit.has_error())
        co_return limit.error();
    constexpr cases::list_formats wanted{};
    auto const found = co_await current.service().records.read(wanted);
    if (found.has_error())
        co_return found.error();
    auto from = found->begin();
    if (auto const after = current.query.find("after"))
    {
        from = std::ranges::find(*found, *after, &number_declaration::name);
        if (from == found->end())
            co_return refusal{
                refusal_kind::out_of_range,
                "The query parameter after has to be the name of a format, as next tells it."};
        ++from;
    }
    auto const rest = static_cast<std::size_t>(found->end() - from);
    std::span const page{from, std::min(*limit, rest)};
    auto& json = current.out.body;
    json += R"({"items":[)";
    for (auto const& format : page)
    {
        if (json.back() != '[')
            json += ',';
        json += to_declaration_json(format);
    }
    json += R"(],"next":)";
    if (page.size() < rest)
        append_json_string(json, page.back().name);
    else
        json += "null";
    json += '}';
    co_return result<void>{};
}

asio::awaitable<result<void>> get_format(exchange& current)
{
    cases::read_format wanted{std::string{current.path[0]}};
    auto const found = co_await current.service().records.read(std::move(wanted));
    if (found.has_error())
        co_return found.error();
    current.out.body += to_declaration_json(*found);
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
    cases::declare_format keep{*declaration};
    auto made = co_await current.service().records.act(
        std::move(keep), current.by(std::move(*identity)), std::move(render)
    );
    if (made.has_error())
        co_return made.error();
    write_kept(current, std::move(*made));
    co_return result<void>{};
}

}  // namespace gapless
