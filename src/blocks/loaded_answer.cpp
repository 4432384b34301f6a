#include "blocks/loaded_answer.hpp"

#include "base/json_writer.hpp"
#include "record/json.hpp"

namespace gapless {

kept_answer to_loaded_answer(cases::loaded_blocks done, bool as_list)
{
    kept_answer made{.status = 200, .location = {}, .body = {}};
    auto& json = made.body;
    if (done.proposal)
    {
        made.status = 202;
        made.location = "/v1/proposals/" + std::to_string(done.proposal->id);
        done.proposal->warnings = {true, std::move(done.warnings)};
        append_json(json, *done.proposal);
        return made;
    }
    auto& first = done.blocks.front();
    if (first.id)
    {
        made.status = 201;
        made.location = "/v1/series/" + first.series + "/blocks";
        if (!as_list)
            made.location += '/' + std::to_string(*first.id);
    }
    if (as_list)
    {
        append_json(json += R"({"items":)", done.blocks);
        append_json(append_name(json, "warnings"), done.warnings);
        json += '}';
        return made;
    }
    first.warnings = {true, std::move(done.warnings)};
    append_json(json, first);
    return made;
}

}  // namespace gapless
