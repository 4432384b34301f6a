#include "reserve/reserve_steps.hpp"

#include "postgres/query.hpp"
#include "postgres/session_lock.hpp"
#include "postgres/transaction.hpp"
#include "reserve/failing_step.hpp"

#include <array>
#include <climits>
#include <fmt/format.h>
#include <unistd.h>

namespace gapless {

namespace {

/// More room than a lease needs: answers may be appended before its first record.
constexpr std::uint64_t spare_room_bytes = 1'024 * 1'024;

std::string name_of_host()
{
    std::array<char, HOST_NAME_MAX + 1> name{};
    ::gethostname(name.data(), name.size() - 1);
    return name.data();
}

/// Whether the database certainly refused: nothing was taken. After other errors it may have been.
bool is_no(refusal const& why)
{
    return why.kind != refusal_kind::outcome_unknown &&
           why.kind != refusal_kind::database_unavailable;
}

result<std::vector<settled_record>> settle_one_lease(
    pqxx::connection& connection, instance_identity const& who, settling const& what, journal* marks
)
{
    pass_step("lease_settling");
    auto settled = [&]() -> result<std::vector<settled_record>> {
        try
        {
            session_lock const lock{
                connection, lock_purpose::issuing, what.series_id, lock_mode::exclusive};
            return run_serializable(connection, {}, [&](auto& transaction) {
                return settle_lease(transaction, what.lease, who, what.records);
            });
        }
        catch (std::exception const& unexpected)
        {
            // The connection stands, so it is about this lease: the others do not wait for it.
            return refusal{refusal_kind::database_unavailable, unexpected.what()};
        }
    }();
    if (settled.has_error())
        return settled;
    pass_step("lease_settled");
    series_mark mark{.series_id = what.series_id};
    for (auto const& record : *settled)
    {
        if (record.outcome == settle_outcome::fenced)
            return refusal{
                refusal_kind::fenced,
                "numbers that were drawn from a lease are not the lease's any more"};
        mark.turn = std::max(mark.turn, record.turn);
    }
    mark.ordinal = what.records.back().ordinal + what.records.back().count - 1;
    if (marks != nullptr && what.series_id != 0)
        marks->note(mark);
    return settled;
}

}  // namespace

result<reserve_home> find_reserve_home(
    pqxx::connection& connection, std::filesystem::path const& folder
)
{
    auto found = run_read(connection, [](auto& transaction) {
        auto const row =
            query_row(transaction, "select database_id, database_oid from gapless.epoch_state()");
        reserve_home home;
        home.database = row[0].template as<std::string>() + '-' + row[1].template as<std::string>();
        home.wanted = read_wanted_reserves(transaction, {});
        return home;
    });
    if (found.has_value())
        found->files = lease_journal::find(folder, found->database);
    return found;
}

result<lease_claim> introduce(
    pqxx::connection& connection,
    journal_writer& writer,
    instance_identity const& who,
    lease_id const& claim
)
{
    writer.append_and_wait(encode(lease_note::claiming{claim, who.secret}));
    auto claimed = run_serializable(connection, {}, [&](auto& transaction) {
        return claim_instance(transaction, who, claim, name_of_host());
    });
    if (claimed.has_value() && claimed->claimed)
        writer.append_and_wait(encode(lease_note::claimed{claimed->incarnation}));
    return claimed;
}

result<reserve_contact> make_contact(
    pqxx::connection& connection,
    instance_identity const& who,
    std::chrono::milliseconds lease_time,
    std::vector<std::int32_t> const& used_tokens
)
{
    auto const renewed = run_read_committed(connection, [&](auto& transaction) {
        return renew_leases(transaction, who, lease_time);
    });
    if (renewed.has_error())
        return renewed.error();
    return run_read(connection, [&](auto& transaction) {
        return reserve_contact{
            .leases = *renewed,
            .tokens = read_lease_tokens(transaction, who, used_tokens),
            .wanted = read_wanted_reserves(transaction, who),
            .holders = read_lease_holders(transaction, who)};
    });
}

result<bool> note_holders(journal_writer& writer, std::vector<lease_holder> const& holders)
{
    std::string records;
    for (auto const& each : holders)
        records += encode(lease_note::heard{each.instance, each.contact});
    writer.append_and_wait(records);
    return true;
}

bool is_of_one_series(refusal const& why)
{
    return why.kind == refusal_kind::database_unavailable &&
           (why.trouble == trouble_kind{} || why.trouble == trouble_kind::strained);
}

result<settled_leases> settle_answers(
    pqxx::connection& connection,
    instance_identity const& who,
    std::vector<settling> const& leases,
    std::uint64_t upto,
    journal* marks,
    journal_writer* writer
)
{
    settled_leases all;
    for (auto const& each : leases)
    {
        all.push_back(settle_one_lease(connection, who, each, marks));
        if (all.back().has_value())
            continue;
        auto const& why = all.back().error();
        if (why.kind != refusal_kind::not_found && !is_of_one_series(why))
            return why;
        upto = 0;
        if (is_of_one_series(why))
            break;
    }
    if (marks != nullptr)
        marks->flush();
    if (upto != 0 && writer != nullptr && writer->failure().empty())
        writer->append_and_wait(encode(lease_note::settled{upto}));
    return all;
}

result<bool> settle_and_return(
    pqxx::connection& connection,
    instance_identity const& who,
    std::deque<unsettled_answer> const& answers,
    std::uint64_t drawn,
    std::vector<lease_grant> const& leases,
    journal* marks,
    journal_writer& writer
)
{
    std::set<lease_id> locked;
    for (std::uint64_t after = 0;;)
    {
        auto next = next_round(answers, after, locked, drawn);
        if (next.leases.empty())
            break;
        for (auto& each : next.leases)
            if (auto const of = std::ranges::find(leases, each.lease, &lease_grant::lease);
                of != leases.end())
                each.series_id = of->series_id;
        auto const done = settle_answers(connection, who, next.leases, next.upto, marks, &writer);
        if (done.has_error())
            return done.error();
        for (std::size_t n = 0; n < done->size(); ++n)
            if ((*done)[n].has_error())
                locked.insert(next.leases[n].lease);
        if (done->size() == next.leases.size())
            after = next.last;
    }
    for (auto const& each : leases)
    {
        if (locked.contains(each.lease))
            continue;
        auto const done = give_back_lease(connection, who, each.lease, writer);
        if (done.has_error() && !is_of_one_series(done.error()))
            return done.error();
    }
    return true;
}

/// How a lease contradicts what this instance has answered; empty: not at all. A database whose
/// rows were put back gives numbers a second time, and nothing in it tells. `known` is from before
/// the lease was first asked for: one that is repeated may lie before what was answered since.
std::string find_contradiction(lease_grant const& grant, std::int64_t known)
{
    if (grant.ordinal > known)
        return {};
    return fmt::format(
        "the database lacks issued numbers: series {} put ordinal {} on lease, but ordinal {} was "
        "answered",
        grant.series_id,
        grant.ordinal,
        known
    );
}

result<std::optional<lease_taking>> take_numbers(
    pqxx::connection& connection,
    instance_identity const& who,
    taking const& wanted,
    journal* marks,
    journal_writer& writer
)
{
    try
    {
        writer.make_room(
            static_cast<std::uint64_t>(wanted.count) * lease_room_bytes + spare_room_bytes
        );
    }
    catch (lease_journal_failure const& failure)
    {
        // Nothing was sent: a smaller one can be taken next.
        return refusal{refusal_kind::out_of_range, failure.what()};
    }
    writer.append_and_wait(encode(lease_note::intent{wanted.lease, wanted.series_id, wanted.count})
    );
    pass_step("lease_intended");
    std::string contradiction;
    auto taken = run_serializable(
        connection,
        {},
        [&](auto& transaction) -> result<std::optional<lease_taking>> {
            auto got = take_lease(
                transaction, wanted.series_id, who, wanted.lease, wanted.count, wanted.lease_time
            );
            if (got)
                contradiction = find_contradiction(got->grant, wanted.known);
            if (!contradiction.empty())
                return refusal{refusal_kind::fenced, contradiction};
            return got;
        }
    );
    if (!contradiction.empty())
        run_read_committed(connection, [&](auto& transaction) {
            execute(transaction, "select gapless.fence_raise($1, 'instance')", contradiction);
            return true;
        });
    if (taken.has_error() ? is_no(taken.error()) : !*taken)
    {
        writer.append_and_wait(encode(lease_note::returned{wanted.lease}));
        return taken;
    }
    if (taken.has_error())
        return taken;
    pass_step("lease_taken");
    auto const& grant = (*taken)->grant;
    if (marks != nullptr)
    {
        marks->note(
            {.series_id = grant.series_id,
             .ordinal = grant.ordinal + grant.count - 1,
             .ordinal_at = (*taken)->issued_at,
             .is_new = true,
             .next_serial = grant.serial + grant.count}
        );
        marks->flush();
    }
    writer.append_and_wait(encode(lease_note::granted{grant}));
    pass_step("lease_granted");
    return taken;
}

result<std::int64_t> give_back_lease(
    pqxx::connection& connection,
    instance_identity const& who,
    lease_id const& lease,
    journal_writer& writer
)
{
    writer.append_and_wait(encode(lease_note::closed{lease}));
    pass_step("lease_closed");
    auto returned = run_serializable(connection, {}, [&](auto& transaction) {
        return return_lease(transaction, lease, who);
    });
    if (returned.has_error() && returned.error().kind != refusal_kind::not_found)
        return returned;
    pass_step("lease_returned");
    writer.append_and_wait(encode(lease_note::returned{lease}));
    return returned.has_value() ? *returned : 0;
}

result<bool> is_lease_ended(
    pqxx::connection& connection, instance_identity const& who, lease_id const& lease
)
{
    return run_read(connection, [&](auto& transaction) {
        auto const open = read_wanted_reserves(transaction, who);
        return std::ranges::find(open, lease, &wanted_reserve::lease) == open.end();
    });
}

}  // namespace gapless
