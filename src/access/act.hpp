#pragma once

#include "record/describe.hpp"
#include "record/page.hpp"
#include "record/schema.hpp"
#include "record/types.hpp"

#include <optional>
#include <string>
#include <string_view>

/// The records of the audit log.
namespace gapless::audit {

/// JSON of the database: an object or a string. Answers have its numbers in quotes: some pass 2^53.
struct document
{
    std::string json;
};

bool read_column(std::string_view text, document& value);

void append_json(std::string& json, document const& value);

/// A recorded change.
struct act
{
    quoted<std::int64_t> id;
    database_time at;
    std::string actor;
    std::string role;
    std::string action;  // "block.load"
    std::string subject;
    std::optional<document> before;
    std::optional<document> after;
    std::optional<record_id> token;
    std::optional<std::string> request_id;
};
GAPLESS_RECORD(
    act,
    (),
    (id, "Id of the act."),
    (at, "When it was done."),
    (actor, "Who it was: token:NAME, cli:USER, sql: and what a caller of SQL says."),
    (role, "The database role that was logged in."),
    (action, "What was done."),
    (subject, "What it was done to."),
    (before, "Numbers in it are strings. Null: there was nothing."),
    (after, "Numbers in it are strings. Null: there is nothing."),
    (token, "Id of the token that acted; tokens may share a name. Null: none did."),
    (request_id, "As in the log of the service. Null: not over HTTP.")
)

/// Which acts to list. Pages begin with the newest.
struct act_search : page
{
    std::optional<std::string> actor;
    std::optional<std::string> subject;
    std::optional<std::string> action;
    std::optional<std::string> series;
    std::optional<record_id> block;
    std::optional<first_moment> from;
    std::optional<last_moment> to;
};
GAPLESS_RECORD(
    act_search,
    (page),
    (actor, "Of this actor: token:NAME, cli:USER or sql:NAME; a plain NAME is each of them."),
    (subject, "About exactly this, as `subject` has it."),
    (action, "Of this action: block.load, or block for everything that is done to blocks."),
    (series, "Concerning this series: its settings, blocks, numbers, proposals, days."),
    (block, "Concerning the block of this id: how it was loaded, its end, its voided numbers."),
    (from, "From this date or moment on; without a zone, in the database's time zone."),
    (to, "Up to this date or moment, included.")
)

}  // namespace gapless::audit

template <>
struct gapless::schema_of<std::optional<gapless::audit::document>>
{
    static void append(std::string& json) { json += R"("additionalProperties":true)"; }
};
