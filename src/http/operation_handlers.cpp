#include "http/operation_handlers.hpp"

#include "http/dispatch.hpp"
#include "http/request_body.hpp"
#include "http/url_check.hpp"
#include "postgres/run_operation.hpp"

#include <boost/beast/http/verb.hpp>

#include <algorithm>
#include <fmt/format.h>
#include <functional>

namespace gapless {

namespace asio = boost::asio;

namespace {

/// Throws not_found if a part of the path cannot be an id. Runs before the body is read.
void check_path_values(exchange const& current, std::span<raw_value const> from_path)
{
    auto const& input = *current.matched->does->input;
    auto const scratch = input.make();
    try
    {
        for (std::size_t n = 0; n < from_path.size(); ++n)
        {
            auto value = from_path[n];
            input.fields[n].take(value, scratch.get());
        }
    }
    catch (wrong_field const&)
    {
        auto const where =
            current.series ? "Series " + std::string{current.path[0]} + " has" : "There is";
        auto const noun = std::string{current.matched->of->noun};
        throw refused{
            refusal_kind::not_found,
            where + " no " + noun + " of this id. Ids are integers, as lists show them."};
    }
}

/// Reads the input of the operation: from the path, then from the header, the query or the body.
/// Throws refused.
std::shared_ptr<void const> read_input(exchange const& current)
{
    auto const& wanted = *current.matched->does;
    auto const& input = *wanted.input;
    std::vector<raw_value> values(input.fields.size());
    auto const in_path = wanted.path_fields();
    auto const from_path = std::span{values}.first(in_path);
    for (std::size_t n = 0; n < in_path; ++n)
        from_path[n] = std::string{current.path[n]};
    check_path_values(current, from_path);

    auto const wording = [&, takes_body = wanted.takes_body()](auto const& field, auto what) {
        if (&field < &input.fields.front() + in_path)
            return fmt::format("{} in the path{}.", field.name, what);
        return takes_body ? word_for_body(field, what) : word_for_query(field, what);
    };
    auto const fields = input.fields.subspan(in_path);
    auto const others = std::span{values}.subspan(in_path);
    for (std::size_t n = 0; n < fields.size(); ++n)
        if (fields[n].accepts == takes_header && current.head.if_match)
            others[n] = std::string{*current.head.if_match};
    if (!wanted.takes_body())
    {
        for (std::size_t n = 0; n < fields.size(); ++n)
            if (auto const text = current.query.find(fields[n].name))
                others[n] = std::string{*text};
        return make_record(input, values, wording);
    }
    if (auto const checked = check_body_type(current); checked.has_error())
        throw refused{checked.error()};
    if (!current.body.empty())
        read_object(current.body, fields, others);
    return make_record(input, values, wording);
}

/// The HTTP answer, as sent and as kept for replays.
kept_answer to_kept_answer(operation const& wanted, answered const& made)
{
    kept_answer answer{
        .status = made.waits ? 202 : wanted.status, .location = {}, .body = {}, .etag = made.etag};
    if (wanted.status != 204)
        answer.body = made.json;
    if (wanted.status == 201 && wanted.has_location)
        answer.location.append(wanted.path).append("/").append(made.id);
    return answer;
}

/// The refusal of a repeated key, with the path's values filled in.
std::string text_for_repeated_key(exchange const& current)
{
    auto const& facts = *current.matched->does;
    return fill_in(facts.repeated, [&](std::string_view wanted) {
        std::optional<std::string> value;
        std::size_t n = 0;
        for_each_placeholder(facts.path, [&](std::string_view name) {
            if (name == wanted)
                value = current.path[n];
            ++n;
        });
        return value;
    });
}

// g++ 12 mishandles some temporaries in co_await expressions, so every argument below is a named
// variable, and nothing is awaited inside a condition.

asio::awaitable<result<void>> answer_read(exchange& current, run_operation wanted)
{
    auto& records = current.service<record_service>();
    result<answered> found = refusal{};
    if (wanted.wanted->is_told_reach)
        found = co_await records.read(std::move(wanted));
    else
    {
        auto by = current.by(std::nullopt);
        found = co_await records.read_for(std::move(wanted), std::move(by));
    }
    if (found.has_error() && found.error().kind == refusal_kind::unknown_series)
        co_return unknown_series();  // whether the series is missing or foreign
    if (found.has_error())
        co_return found.error();
    current.out.body = std::move(found->json);
    current.out.etag = std::move(found->etag);
    co_return result<void>{};
}

template <class Run>
asio::awaitable<result<void>> answer_act(exchange& current, Run wanted, acting by)
{
    renderer<answered> render = std::bind_front(to_kept_answer, std::cref(*wanted.wanted));
    auto made = co_await current.service<record_service>().act(
        std::move(wanted), std::move(by), std::move(render)
    );
    if (made.has_error())
        co_return made.error();
    write_kept(current, std::move(*made));
    co_return result<void>{};
}

/// A change: runs once per Idempotency-Key, but for a DELETE, which does no more a second time.
asio::awaitable<result<void>> answer_change(exchange& current, run_operation wanted)
{
    auto const& facts = *wanted.wanted;
    result<std::optional<request_identity>> identity{std::nullopt};
    if (facts.takes_body())
        identity = read_identity(current);
    if (identity.has_error())
        co_return identity.error();
    if (facts.calls)
    {
        std::string url{facts.calls(wanted.input.get())};
        auto const checked = co_await current.service<url_check>().check(std::move(url));
        if (checked.has_error())
            co_return checked.error();
    }
    auto by = current.by(*identity);
    if (!facts.answer->has_secret)
        co_return co_await answer_act(current, std::move(wanted), std::move(by));
    run_secret_operation secret{std::move(wanted), text_for_repeated_key(current)};
    co_return co_await answer_act(current, std::move(secret), std::move(by));
}

boost::beast::http::verb to_beast_verb(http_method method) noexcept
{
    using boost::beast::http::verb;
    switch (method)
    {
    case http_method::get: return verb::get;
    case http_method::post: return verb::post;
    case http_method::patch: return verb::patch;
    case http_method::delete_: return verb::delete_;
    }
    return verb::unknown;
}

}  // namespace

asio::awaitable<result<void>> answer_operation(exchange& current)
{
    auto input = result_of([&] { return read_input(current); });
    if (input.has_error())
        co_return input.error();
    auto const& facts = *current.matched->does;
    run_operation wanted{&facts, std::move(*input), viewer{current.who->series}, current.series};
    if (!facts.changes)
        co_return co_await answer_read(current, std::move(wanted));
    co_return co_await answer_change(current, std::move(wanted));
}

void append_routes(std::vector<route>& rows, feature const& added)
{
    auto const before = static_cast<std::ptrdiff_t>(rows.size());
    for (auto const& each : added.operations)
        if (!each.path.empty())
            rows.push_back(
                {.verb = to_beast_verb(each.method),
                 .pattern = each.path,
                 .needs = each.needs,
                 .body = !each.takes_body() ? body_size::none
                         : each.large_body  ? body_size::large
                                            : body_size::usual,
                 .handle = answer_operation,
                 .does = &each,
                 .of = &added}
            );
    // Allow lists the methods in this order, whatever the order of the table.
    std::stable_sort(rows.begin() + before, rows.end(), [](route const& left, route const& right) {
        return left.does->method < right.does->method;
    });
}

}  // namespace gapless
