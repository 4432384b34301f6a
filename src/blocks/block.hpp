#pragma once

#include "formats/series_number.hpp"
#include "record/refusal_records.hpp"
#include "record/types.hpp"

#include <optional>
#include <string>
#include <vector>

/// Records of blocks.
namespace gapless::blocks {

/// A block and how much of it is used. One that was only checked has no id, and dry_run.
struct block
{
    std::optional<record_id> id;
    std::string series;
    series_number first;
    series_number last;
    std::int64_t count{};
    quoted<std::int64_t> elsewhere;
    quoted<std::int64_t> issued;
    quoted<std::int64_t> remaining;
    std::optional<series_number> next;
    std::string state;
    std::optional<std::string> reference;
    std::optional<database_time> valid_until;
    std::optional<std::int32_t> position;
    quoted<std::int64_t> first_serial;
    quoted<std::int64_t> last_serial;
    std::int32_t cycle{1};
    std::optional<std::string> closed_reason;
    std::optional<database_time> recalled_at;
    std::optional<std::string> loaded_by;
    std::optional<database_time> loaded_at;
    flag dry_run;
    given<std::vector<load_warning>> warnings;
};
GAPLESS_RECORD(
    block,
    (),
    (id, "Id of the block. Null in a dry run."),
    (series, "Name of the series."),
    (first, "Its first number."),
    (last, "Its last number."),
    (count, "How many numbers the carrier assigned."),
    (elsewhere,
     "How many, from the first one on, were issued before gapless had the block.",
     .in_table = false),
    (issued, "How many of its numbers were issued."),
    (remaining, "How many are left to issue."),
    (next, "The number that is issued next. Null: none.", .in_table = false),
    (state, "queued, open, exhausted, closed or withdrawn."),
    (reference, "The carrier's letter, order or contract."),
    (valid_until, "Until when its numbers may be issued."),
    (position, "Its place in the queue. Null in the preview of a proposal.", .in_table = false),
    (first_serial, "Serial of the first number.", .is_column = false),
    (last_serial, "Serial of the last number.", .is_column = false),
    (cycle, "2 and more: its numbers were loaded before.", .in_table = false),
    (closed_reason, "Why it ended before its last number was issued.", .in_table = false),
    (recalled_at, "When the carrier's rejection was recorded.", .in_table = false),
    (loaded_by, "Who: token:, cli: or sql: and a name. Null in a dry run.", .in_table = false),
    (loaded_at, "When it was loaded. Null in a dry run.", .in_table = false),
    (dry_run, "Only of a dry run.", .is_column = false),
    (warnings, "Only of a load: what a person had to look at.", .is_column = false)
)

/// Which blocks: those of a series, or all.
struct named_blocks
{
    std::optional<std::string> series;
};
GAPLESS_RECORD(
    named_blocks,
    (),
    (series, "Name of the series.", .option = "SERIES", .help = "Name of the series; default: all")
)

/// A block. The command line may leave its series out.
struct block_id
{
    std::optional<std::string> series;
    record_id id;
};
GAPLESS_RECORD(
    block_id,
    (),
    (series, "Name of the series."),
    (id,
     "Id of the block.",
     .option = "BLOCK",
     .help = "[SERIES] ID: its id, its series in front if you like",
     .takes_owner = true)
)

/// Where to move a queued block: one of the two.
struct block_move : block_id
{
    std::optional<record_id> before;
    std::optional<bool> last;
};
GAPLESS_RECORD(
    block_move,
    (block_id),
    (before,
     "Id of the queued block that it goes in front of.",
     .value = "ID",
     .help = "Before this queued block of the same series"),
    (last, "True: it goes to the end of the queue.", .help = "To the end of the queue")
)

/// The block to end, and the reason.
struct block_end : block_id
{
    std::string reason;
};
GAPLESS_RECORD(block_end, (block_id), (reason, "Why; stays in the records.", .value = "TEXT"))

// What a request may contain; see record/read.hpp.
void check(block_move const& wanted);
void check(block_end const& wanted);

}  // namespace gapless::blocks
