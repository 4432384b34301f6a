#include "epochs/epoch_moving.hpp"

#include "cli/argument.hpp"
#include "epochs/move_proof.hpp"

#include <nlohmann/json.hpp>

#include <fmt/format.h>
#include <limits>

namespace gapless::cli {

namespace {

using json = nlohmann::ordered_json;

/// Ends the command if the proof has gaps; `way_on` says what else can be done.
void check_proof(std::vector<std::string> const& obstacles, std::string_view way_on)
{
    if (obstacles.empty())
        return;
    std::string text =
        "nothing was changed; what is known does not prove that no number is missing";
    for (auto const& each : obstacles)
        text.append("\n  ").append(each);
    throw command_failed{exit_code::conflict, text.append("\n").append(way_on)};
}

move_record look(command_context& context)
{
    return value_of(context.read([](pqxx::transaction_base& transaction) {
        return read_move(transaction);
    }));
}

/// Equal for both administrators if they mean the same.
std::string proof_of(move_record const& here, std::vector<folder_evidence> const& folders)
{
    return json{{"move", here.move_id}, {"journals", journal_ids(folders)}}.dump();
}

void check_words(epoch_options const& wants)
{
    check_epoch_reason(wants.reason);
    if (wants.noted.journals.empty())
        throw usage_error("--journal: name the folders of all instances' journals; with none, an "
                          "empty folder that takes the seal of the move");
}

constexpr auto way_on_to_prepare =
    "  where a journal is lost: stop every gaplessd and use 'gapless "
    "epoch open' on the new server, which voids what is on hold";
constexpr auto way_on_to_move = "  the way on without this proof: 'gapless epoch reconcile' and "
                                "'gapless epoch open', which void what is on hold";

}  // namespace

exit_code prepare_epoch_move(command_context& context, epoch_options const& wants)
{
    check_words(wants);
    check_proof(
        [&] {
            // The journals first: what instances note meanwhile is already in the database.
            auto const before = look(context);
            auto const folders = read_folders(wants.noted.journals, before);
            return obstacles_to_prepare(look(context), folders);
        }(),
        way_on_to_prepare
    );
    if (context.options().dry_run)
    {
        context.say("the move can be prepared (dry run: nothing was changed)");
        return exit_code::ok;
    }
    context.confirm("Stop issuing here, for a move to another server?");
    value_of(context.seal([&](pqxx::transaction_base& transaction) {
        prepare_move(transaction, wants.reason, context.actor());
        return true;
    }));
    auto const here = look(context);
    for (auto const& each : read_folders(wants.noted.journals, here))
        write_seal(
            each.folder,
            {here.database_id,
             here.epoch,
             here.move_id,
             here.prepared_at,
             here.opened_on,
             each.seal && each.seal->move_id == here.move_id ? each.seal->completed_on : "",
             here.marks}
        );
    context.say(fmt::format(
        "epoch {} is over: this server issues, settles and changes nothing any more, also after a "
        "restart; {} series are sealed\n"
        "  now take the copy, and on the new server: gapless epoch move --confirm-epoch {}\n"
        "  the same command on this server calls the move off",
        here.epoch,
        here.marks.size(),
        here.epoch + 1
    ));
    return exit_code::ok;
}

exit_code complete_epoch_move(command_context& context, epoch_options const& wants)
{
    check_words(wants);
    auto const epoch = read_integer(wants.epoch, 1, std::numeric_limits<std::int32_t>::max());
    if (epoch.has_error())
        throw usage_error("--confirm-epoch: " + epoch.error().detail);
    auto const next = static_cast<std::int32_t>(*epoch);
    auto const here = look(context);
    auto const folders = read_folders(wants.noted.journals, here);
    check_proof(obstacles_to_move(here, folders), way_on_to_move);
    context.confirm(fmt::format("Open epoch {}? Issuing will go on.", next));
    epoch_opening const opening{
        .epoch = next,
        .reason = wants.reason,
        .proof = proof_of(here, folders),
        .actor = context.actor()};
    auto const first = value_of(context.change([&](pqxx::transaction_base& transaction) {
        return propose_epoch(transaction, opening);
    }));
    auto const rehearsed = context.options().dry_run ? " (dry run: nothing was changed)" : "";
    if (!first)
    {
        context.say(fmt::format(
            "epoch {} is proposed, not open{}\n  it takes two: another administrator, with another "
            "database role, gives the same command within a day",
            next,
            rehearsed
        ));
        return context.options().dry_run ? exit_code::ok : exit_code::not_allowed;
    }
    value_of(context.change([&](pqxx::transaction_base& transaction) {
        complete_move(transaction, opening);
        // After whatever may refuse, or a move that failed here could not be called off. Before the
        // COMMIT: a second server is refused even if the outcome here remains unknown.
        if (!context.options().dry_run)
            complete_seals(wants.noted.journals, here.database_id, here.epoch, here.here);
        return true;
    }));
    context.say(fmt::format(
        "epoch {} is open, as proposed by {}; nothing was voided{}", next, *first, rehearsed
    ));
    return exit_code::ok;
}

}  // namespace gapless::cli
