#include "app/cli/argument.hpp"
#include "app/cli/block_columns.hpp"
#include "app/cli/command_line.hpp"
#include "app/cli/json.hpp"
#include "app/cli/proposal_columns.hpp"
#include "cases/carriers.hpp"
#include "cases/series.hpp"

#include <array>
#include <fmt/format.h>
#include <limits>

namespace gapless::cli {

namespace {

using json = nlohmann::ordered_json;

struct proposal_options
{
    std::string id;
};

constexpr std::array proposal_columns{
    column{.key = "id", .number = true},
    column{.key = "state"},
    column{.key = "series"},
    column{.key = "proposed_by"},
    column{.key = "expires_at"},
    column{.key = "settled_by"},
    column{.key = "blocks"},
};

std::int32_t read_id(std::string const& text)
{
    auto const id = read_integer(text, 1, std::numeric_limits<std::int32_t>::max());
    if (id.has_error())
        throw usage_error(
            fmt::format("ID: {}; 'gapless proposal list' shows the ids", id.error().detail)
        );
    return static_cast<std::int32_t>(*id);
}

json to_row(session& session, proposal_record const& proposal)
{
    return to_json(proposal, session.ask(cases::find_series{proposal.series}).format);
}

exit_code list(session& session, proposal_options const&)
{
    auto rows = json::array();
    for (auto const& proposal : session.ask(cases::list_proposals{}))
        rows.push_back(to_row(session, proposal));
    session.print_list(rows, proposal_columns);
    return exit_code::ok;
}

exit_code confirm(session& session, proposal_options const& wants)
{
    auto const id = read_id(wants.id);
    auto const proposal = session.ask(cases::read_proposal{id});
    auto const series = session.ask(cases::find_series{proposal.series});
    session.confirm(fmt::format(
        "Load what {} proposed into {}: {}…{}{}?",
        proposal.proposed_by,
        proposal.series,
        series.format.to_number(proposal.blocks.front().first),
        series.format.to_number(proposal.blocks.back().last),
        proposal.blocks.size() == 1 ? "" : fmt::format(", {} blocks", proposal.blocks.size())
    ));
    auto rows = json::array();
    for (auto const& block : session.act(cases::confirm_proposal{id}))
        rows.push_back(to_json(block, series.format));
    session.print_list(rows, block_columns);
    if (session.options().dry_run)
        session.say("dry run: nothing was changed");
    return exit_code::ok;
}

exit_code reject(session& session, proposal_options const& wants)
{
    auto const rejected = session.act(cases::reject_proposal{read_id(wants.id)});
    session.print(to_row(session, rejected), proposal_columns);
    if (session.options().dry_run)
        session.say("dry run: nothing was changed");
    return exit_code::ok;
}

}  // namespace

exit_code print_proposal(
    session const& session, proposal_record const& proposal, bound_format const& format
)
{
    session.print(to_json(proposal, format), proposal_columns);
    session.say(fmt::format(
        "{}proposed, not loaded: two people load the blocks of this carrier; somebody else runs: "
        "gapless proposal confirm {}",
        session.options().dry_run ? "dry run: would be " : "",
        proposal.proposal_id
    ));
    return exit_code::not_allowed;
}

void add_proposal_commands(command_line& line)
{
    auto& noun = line.add_noun("proposal", "Blocks that a second person has to confirm");
    auto const declare_nothing = [](CLI::App&, proposal_options&) {};
    auto const declare_id = [](CLI::App& app, proposal_options& wants) {
        app.add_option("ID", wants.id, "Id of the proposal")->required();
    };
    line.add_verb<proposal_options>(noun, "list", "List proposals", declare_nothing, list);
    line.add_verb<proposal_options>(
        noun, "confirm", "Load what somebody else proposed", declare_id, confirm
    );
    line.add_verb<proposal_options>(noun, "reject", "Load nothing of it", declare_id, reject);
}

}  // namespace gapless::cli
