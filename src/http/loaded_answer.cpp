#include "http/loaded_answer.hpp"

#include "wire/json_writer.hpp"
#include "wire/record_json.hpp"

namespace gapless {

namespace {

void append_list(
    series_entry const& series, std::vector<block_record> const& blocks, std::string& json
)
{
    append_name(json, "items") += '[';
    for (auto const& block : blocks)
    {
        if (json.back() != '[')
            json += ',';
        append_block(series.format, block, json);
    }
    json += ']';
}

}  // namespace

kept_answer to_loaded_answer(
    series_entry const& series, cases::loaded_blocks const& done, bool as_list
)
{
    kept_answer made{.status = 200, .location = {}, .body = {}};
    auto& json = made.body;
    if (done.proposal)
    {
        made.status = 202;
        made.location = "/v1/proposals/" + std::to_string(done.proposal->proposal_id);
        append_proposal(series.format, *done.proposal, json);
    }
    else if (as_list)
    {
        json += '{';
        append_list(series, done.blocks, json);
        json += '}';
    }
    else
        append_block(series.format, done.blocks.front(), json);
    if (!done.proposal && done.blocks.front().block_id != 0)
    {
        made.status = 201;
        made.location = "/v1/series/" + series.name + "/blocks";
        if (!as_list)
            made.location += '/' + std::to_string(done.blocks.front().block_id);
    }
    json.pop_back();
    append_warnings(json, done.warnings);
    json += '}';
    return made;
}

}  // namespace gapless
