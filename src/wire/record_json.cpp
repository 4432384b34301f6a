#include "wire/record_json.hpp"

#include "domain/moment.hpp"
#include "wire/json_writer.hpp"
#include "wire/number_list.hpp"

#include <string_view>

namespace gapless {

namespace {

/// A day through its end is written as that day.
void append_validity(std::string& json, std::optional<database_time> const& valid_until)
{
    if (valid_until)
        append_text(json, "valid_until", to_valid_until(*valid_until));
    else
        append_name(json, "valid_until") += "null";
}

void append_draft(bound_format const& format, block_draft const& draft, std::string& json)
{
    json += '{';
    append_number_or_null(json, "first", format, draft.first);
    append_number_or_null(json, "last", format, draft.last);
    append_count(json, "count", draft.last - draft.first + 1);
    append_optional(json, "reference", draft.reference);
    append_validity(json, draft.valid_until);
    append_number_or_null(json, "issued_until", format, draft.issued_until);
    json += '}';
}

}  // namespace

void append_block(bound_format const& format, block_record const& block, std::string& json)
{
    bool const dry_run = block.block_id == 0;
    json += '{';
    if (dry_run)
        append_name(json, "id") += "null";
    else
        append_count(json, "id", block.block_id);
    append_text(json, "series", block.series);
    append_number_or_null(json, "first", format, block.first);
    append_number_or_null(json, "last", format, block.last);
    append_count(json, "count", block.count);
    append_count(json, "elsewhere", block.elsewhere);
    append_count(json, "issued", block.issued);
    append_count(json, "remaining", block.remaining);
    append_number_or_null(json, "next", format, block.next);
    append_text(json, "state", block.state);
    append_optional(json, "reference", block.reference);
    append_validity(json, block.valid_until);
    if (block.position == 0)
        append_name(json, "position") += "null";
    else
        append_decimal(append_name(json, "position"), block.position);
    append_count(json, "first_serial", block.first);
    append_count(json, "last_serial", block.last);
    append_decimal(append_name(json, "cycle"), block.cycle);
    append_optional(json, "closed_reason", block.closed_reason);
    append_optional(json, "recalled_at", block.recalled_at);
    if (dry_run)
    {
        append_name(json, "loaded_by") += "null";
        append_name(json, "loaded_at") += "null";
        append_truth(append_name(json, "dry_run"), true);
    }
    else
    {
        append_text(json, "loaded_by", block.loaded_by);
        append_moment(json, "loaded_at", block.loaded_at);
    }
    json += '}';
}

void append_warnings(std::string& json, std::vector<load_warning> const& warnings)
{
    append_name(json, "warnings") += '[';
    for (auto const& warning : warnings)
    {
        json += json.back() == '[' ? "{" : ",{";
        append_text(json, "code", warning.code);
        append_text(json, "detail", warning.detail);
        json += '}';
    }
    json += ']';
}

void append_faults(std::string& json, std::vector<line_fault> const& faults)
{
    append_name(json, "faults") += '[';
    for (auto const& fault : faults)
    {
        json += json.back() == '[' ? "{" : ",{";
        append_decimal(append_name(json, "line"), static_cast<std::int64_t>(fault.line));
        append_decimal(append_name(json, "column"), static_cast<std::int64_t>(fault.column));
        append_text(json, "what", fault.what);
        json += '}';
    }
    json += ']';
}

void append_gone(std::string& json, std::vector<gone_numbers> const& gone)
{
    append_name(json, "gone") += '[';
    for (auto const& run : gone)
    {
        json += json.back() == '[' ? "{" : ",{";
        append_text(json, "first", run.first);
        append_text(json, "last", run.last);
        append_decimal(append_name(json, "count"), run.count);
        append_text(json, "state", run.state);
        json += '}';
    }
    json += ']';
}

void append_proposal(bound_format const& format, proposal_record const& proposal, std::string& json)
{
    json += '{';
    append_count(json, "id", proposal.proposal_id);
    append_text(json, "state", proposal.state);
    append_text(json, "series", proposal.series);
    append_name(json, "blocks") += '[';
    for (auto const& draft : proposal.blocks)
    {
        if (json.back() != '[')
            json += ',';
        append_draft(format, draft, json);
    }
    json += ']';
    append_text(json, "proposed_by", proposal.proposed_by);
    append_moment(json, "proposed_at", proposal.proposed_at);
    append_moment(json, "expires_at", proposal.expires_at);
    append_optional(json, "settled_by", proposal.settled_by);
    append_optional(json, "settled_at", proposal.settled_at);
    json += '}';
}

void append_finding(finding const& found, std::string& json)
{
    json += '{';
    append_text(json, "series", found.series);
    append_text(json, "at", found.at);
    append_text(json, "what", found.what);
    json += '}';
}

void append_verification(verification const& checked, std::string& json)
{
    json += R"({"findings":[)";
    for (auto const& found : checked.findings)
    {
        if (json.back() != '[')
            json += ',';
        append_finding(found, json);
    }
    json += R"(],"checked":{)";
    append_count(json, "ledger_rows", checked.ledger_rows);
    append_text(json, "numbers", checked.numbers);
    append_count(json, "blocks", checked.blocks);
    json += "}}";
}

}  // namespace gapless
