#pragma once

#include "record/column.hpp"
#include "record/pqxx_fwd.hpp"
#include "record/principal.hpp"
#include "record/raw_value.hpp"

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// An operation is a function from an input record to an answer record, inside a transaction:
///
///     webhook read(pqxx::transaction_base& database, webhook_id const& which);
///     webhook retry(
///         pqxx::transaction_base& database, webhook_id const& which, caller const& by
///     );
///
/// Further parameters are passed by type: a caller to functions that make changes, a viewer to
/// those whose answer depends on who is looking, a series_entry to those of a path below
/// /v1/series/{series} that print numbers. A function that returns a vector returns one page
/// of a list. Operations refuse by throwing (record/refused.hpp). Transactions are retried, so an
/// operation may run more than once and must have no effect outside the database.
///
/// Each feature lists its operations in one constexpr table. Routes, CLI verbs with their help,
/// OpenAPI and the tests that cover every operation are derived from it.
namespace gapless {

struct series_entry;

/// The author of a change; recorded in the audit log.
struct caller
{
    std::string name;  // "token:up", "cli:anna"
};

/// The reader of an answer.
struct viewer
{
    std::optional<std::vector<std::string>> series{};  // none: all series
};

/// Values that an operation can request besides its input.
struct call_context
{
    caller by;
    viewer sees;
    series_entry const* series{};  // of the path; null where it names none

    template <class Part>
    Part const& get() const noexcept
    {
        if constexpr (std::same_as<Part, caller>)
            return by;
        else if constexpr (std::same_as<Part, series_entry>)
            return *series;
        else
            return sees;
    }
};

/// The answer of a change that may have to wait for another session. HTTP says 202 while it waits.
template <class Answer>
struct may_wait
{
    Answer answer;  // the current state, also while the change waits
    bool waits{};
};

enum class http_method
{
    get = 1,
    post,
    patch,
    delete_,
};

/// An answer, rendered: HTTP and the CLI do not know its type.
struct answered
{
    std::string json;  // one record, or a page: {"items":[…],"next":…}
    std::string kept;  // the same without secrets; empty if there are none
    std::string id;    // the record's first field, for Location
    std::string etag;  // of its version, if it has one
    bool waits{};      // of may_wait
};

/// An answer record, type-erased.
struct answer_type
{
    std::string_view name{};  // of its struct; for a list, of the item's
    std::span<column const> columns{};
    void (*append_schema)(std::string& json){};
    bool is_list{};
    bool has_secret{};
    bool has_version{};
    bool may_wait{};
};

/// The description of an operation in its feature's table.
struct operation_facts
{
    std::string_view verb{};  // CLI verb; empty: HTTP only
    http_method method{};
    std::string_view path;  // its {placeholders} are the first fields of the input, in order;
                            // empty: CLI only
    scope needs{};
    std::string_view summary;         // one line
    std::string_view help{};          // what --help says instead of the summary
    std::string_view description{};   // more, for OpenAPI
    std::string_view id{};            // for OpenAPI; empty: derived from verb and noun
    int status{200};                  // 201 adds Location: path/id; 204 sends no body
    bool has_location{true};          // false: what a 201 created has no path of its own
    bool conflicts{};                 // may answer 409, as every POST may
    std::string_view repeated{};      // refuses a replay of an answer with a secret;
                                      // may name {location} and the path's fields
    bool locks_itself{};              // its SQL takes the locks that make it correct at READ
                                      // COMMITTED, which HTTP uses for it
    bool large_body{};                // accepts bodies with lists of up to 10,000 ranges
    std::string_view question{};      // the CLI asks for confirmation; may name
                                      // {fields} of what find_read() answers
    std::string_view done{};          // the CLI prints it afterwards; may name
                                      // {fields} of the answer
    std::string_view waiting{};       // the same, while the change waits
    std::span<column const> shows{};  // columns the CLI prints of the answer; empty: all
    bool shows_alone{};               // JSON has only these, too; in a dry run the first is null
    std::string_view (*calls)(void const* input){};  // a URL that the service will call
};

/// A row of a feature's table. Made by operates<&function>.
struct operation : operation_facts
{
    input_type const* input{};
    answer_type const* answer{};
    bool changes{};
    bool asks_series{};    // needs the series_entry of its path
    bool is_told_reach{};  // gets the visible series as a parameter; else SQL asks
    void (*run
    )(pqxx::transaction_base& database,
      void const* input,
      call_context const& context,
      answered& made){};  // throws refused

    bool takes_body() const noexcept
    {
        return method == http_method::post || method == http_method::patch;
    }

    /// The number of input fields taken from the path.
    std::size_t path_fields() const noexcept
    {
        return static_cast<std::size_t>(std::count(path.begin(), path.end(), '{'));
    }
};

/// Replaces each {name} of a text by what `value_of` returns for it; without a value it stays.
std::string fill_in(
    std::string_view text,
    std::function<std::optional<std::string>(std::string_view name)> const& value_of
);

/// Calls use(name) for each {name} in a text, in order.
template <class Use>
constexpr void for_each_placeholder(std::string_view text, Use use)
{
    for (auto open = text.find('{'); open != text.npos; open = text.find('{', open + 1))
        use(text.substr(open + 1, text.find('}', open) - open - 1));
}

/// A feature and its operations. The noun is used in messages and on the command line.
struct feature
{
    std::string_view noun;
    std::string_view summary;
    std::span<operation const> operations;
    // For OpenAPI: its tag, and the plural; empty: noun and an s.
    std::string_view tag{};
    std::string_view plural{};
};

/// The operation that reads what another one of the feature is about: it takes no input that the
/// other does not take. Null: none.
operation const* find_read(feature const& of, operation const& other) noexcept;

/// All features, in the order of their routes.
std::span<feature const* const> features() noexcept;

}  // namespace gapless
