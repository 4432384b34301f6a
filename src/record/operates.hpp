#pragma once

#include "record/json.hpp"
#include "record/operation.hpp"
#include "record/page.hpp"
#include "record/read.hpp"
#include "record/schema.hpp"
#include "record/table.hpp"

#include <type_traits>
#include <utility>
#include <vector>

/// Builds the rows of an operation table. Include this only where such a table is defined.
namespace gapless {

namespace detail {

template <class Function>
struct signature;

template <class Answer, class Input, class... More>
struct signature<Answer (*)(pqxx::transaction_base&, Input const&, More const&...)>
{
    using answer = Answer;
    using input = Input;
    static constexpr bool changes = (std::same_as<More, caller> || ...);
    static constexpr bool asks_series = (std::same_as<More, series_entry> || ...);
    static constexpr bool asks_viewer = (std::same_as<More, viewer> || ...);

    template <auto function>
    static Answer call(
        pqxx::transaction_base& database, Input const& wanted, call_context const& context
    )
    {
        return function(database, wanted, context.get<More>()...);
    }
};

template <class T>
struct item_of
{
    using type = T;
};
template <class T>
struct item_of<std::vector<T>>
{
    using type = T;
};
template <class T>
struct item_of<may_wait<T>>
{
    using type = T;
};
template <class T>
struct item_of<std::vector<placed<T>>>
{
    using type = T;
};

template <class Answer>
inline constexpr bool is_may_wait = false;
template <class T>
inline constexpr bool is_may_wait<may_wait<T>> = true;

/// The first field of a record, as text.
template <record Record>
std::string id_of(Record const& whole)
{
    std::string text;
    append_json(text, field<Record, 0>::of(whole));
    return text.starts_with('"') ? text.substr(1, text.size() - 2) : text;
}

template <record Record>
Record const& item_in(Record const& item) noexcept
{
    return item;
}
template <record Record>
Record const& item_in(placed<Record> const& listed) noexcept
{
    return listed.item;
}

template <record Record>
std::string place_of(Record const& item)
{
    return id_of(item);
}
template <record Record>
std::string place_of(placed<Record> const& listed)
{
    return listed.place;
}

template <class Answer>
void render(Answer&& done, answered& made)
{
    append_json(made.json, done);
    made.id = id_of(done);
    if constexpr (has_version<std::remove_cvref_t<Answer>>)
        for_each_field<std::remove_cvref_t<Answer>>([&](auto each) {
            if constexpr (std::same_as<typename decltype(each)::type, version>)
                made.etag = '"' + std::to_string(each.of(done).value) + '"';
        });
    if constexpr (has_secret<std::remove_cvref_t<Answer>>)
    {
        leave_out_secrets(done);
        append_json(made.kept, done);
    }
}

template <class Answer>
void render(may_wait<Answer>&& done, answered& made)
{
    made.waits = done.waits;
    render(std::move(done.answer), made);
}

template <class Answer>
inline constexpr answer_type answer_of{
    .name = name_of_record<typename item_of<Answer>::type>,
    .columns = columns_of<typename item_of<Answer>::type>,
    .append_schema = [](std::string& json
                     ) { append_object_schema<typename item_of<Answer>::type>(json); },
    .is_list = is_list<Answer>,
    .has_secret = has_secret<Answer>,
    .has_version = has_version<Answer>,
    .may_wait = is_may_wait<Answer>};

/// The most items that a page of `all` may have: no limit if nothing sets one.
template <record Input>
std::int64_t limit_of(Input const& wanted, std::size_t all) noexcept
{
    if constexpr (requires { wanted.limit; })
        return wanted.limit;
    else
        return static_cast<std::int64_t>(all);
}

/// Rejects, at compile time, a row that contradicts its function.
template <record Input>
consteval void check_facts(operation_facts const& facts, bool changes, bool shown_once)
{
    std::size_t n = 0;
    for_each_placeholder(facts.path, [&](std::string_view name) {
        if (n == field_count<Input> || input_of<Input>.fields[n++].name != name)
            throw "the placeholders of the path must be the first fields of the input";
    });
    if (changes == (facts.method == http_method::get))
        throw "GET must not change anything, every other method must take a caller";
    if (facts.path.empty() && facts.verb.empty())
        throw "an operation needs a path, a verb or both";
    if (facts.status == 201 && facts.method != http_method::post)
        throw "only POST may answer 201";
    if (shown_once != !facts.repeated.empty())
        throw "an answer with a secret, and no other, needs a text for repeated keys";
    if (facts.summary.empty() || facts.summary.ends_with('.') || facts.help.ends_with('.'))
        throw "a summary must not be empty or end in a full stop";
}

}  // namespace detail

/// operates<&read>({.method = …}) is a row of the table. The types of input and answer are deduced.
template <auto function>
consteval operation operates(operation_facts const& facts)
{
    using types = detail::signature<decltype(function)>;
    using input = typename types::input;
    using output = typename types::answer;
    detail::check_facts<input>(facts, types::changes, has_secret<output>);
    if (types::asks_series &&
        (!facts.path.starts_with("/v1/series/{series}") || !facts.verb.empty()))
        throw "only the path names a series; the command line does not look one up";
    return {
        facts,
        &input_of<input>,
        &detail::answer_of<output>,
        types::changes,
        types::asks_series,
        types::asks_series || types::asks_viewer,
        [](pqxx::transaction_base& database,
           void const* wanted,
           call_context const& context,
           answered& made) {
            auto const& typed = *static_cast<input const*>(wanted);
            auto done = types::template call<function>(database, typed, context);
            if constexpr (is_list<output>)
                append_page(
                    made.json,
                    done,
                    detail::limit_of(typed, done.size()),
                    [&](auto const& item) { append_json(made.json, detail::item_in(item)); },
                    [&](auto const& item) { append_json_string(made.json, detail::place_of(item)); }
                );
            else
                detail::render(std::move(done), made);
        }};
}

/// For operation_facts::calls: the URL in a field of the input.
template <auto member>
inline constexpr auto url_in = [](void const* input) -> std::string_view {
    return [&]<class Record, class Value>(Value Record::*of) {
        return text_of(static_cast<Record const*>(input)->*of);
    }(member);
};

}  // namespace gapless
