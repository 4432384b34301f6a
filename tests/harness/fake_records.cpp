#include "harness/fake_service.hpp"

#include <boost/asio/post.hpp>

#include <algorithm>

namespace gapless::test {

namespace asio = boost::asio;

asio::awaitable<result<any_answer>> fake_service::run(job work)
{
    co_await asio::post(io_, asio::use_awaitable);
    if (work.render)
        identities.push_back(work.by.identity);
    auto done = how_.at(work.wanted.type())(work.wanted);
    if (auto const behaved = behave(); behaved.has_error())
        co_return behaved.error();
    if (done.has_error() || !work.render)
        co_return done;
    co_return any_answer::of(keep(work.by.identity, work.render(done->value())));
}

rendered_answer fake_service::keep(
    std::optional<request_identity> const& identity, kept_answer made
)
{
    if (!identity)
        return {.answer = std::move(made), .replayed = false};
    auto kept = made;
    kept.etag.clear();
    auto const [place, is_new] = kept_.try_emplace(identity->key, std::move(kept));
    return {.answer = is_new ? std::move(made) : place->second, .replayed = !is_new};
}

void fake_service::add_number(std::string name, std::int64_t serial, std::string_view state)
{
    auto& added = known_numbers.emplace_back();
    added.number.serial = serial;
    added.serial = serial;
    print_numbers(added, series.find(name)->second.format);
    added.series = std::move(name);
    added.state = state;
}

void fake_service::answer_reads()
{
    answer<cases::read_issuance>([this](auto const& wanted) { return find_issuance(wanted.id); });
    answer<cases::look_up_number>([this](auto const& wanted) { return look_up(wanted); });
    answer<cases::read_ledger>([this](auto const& wanted) {
        pages.push_back(wanted.page);
        ledger_piece piece;
        auto const limit = static_cast<std::size_t>(wanted.page.limit);
        for (auto const& row : ledger)
            if (row.range.ordinal > wanted.page.after && piece.rows.size() < limit)
                piece.rows.emplace_back(row).place = row.range.ordinal + row.range.count - 1;
        if (piece.rows.size() >= limit)
            piece.next = piece.rows.back().place;
        return piece;
    });
    answer<cases::list_numbers>([this](auto const& wanted) {
        number_lists.push_back(wanted);
        return listed;
    });
    answer<cases::verify_series>([](auto const&) { return verification{}; });
    answer<cases::tell_findings>([](auto const& wanted) { return wanted.findings; });
    answer<cases::reconcile_invoice>([this](auto const& wanted) {
        invoices.push_back(wanted);
        return compared;
    });
}

void fake_service::answer_acts()
{
    answer<cases::load_blocks>([this](auto const& wanted) -> result<cases::loaded_blocks> {
        for (auto const& draft : wanted.drafts)
            block_drafts.push_back(draft);
        confirmed = wanted.confirmed;
        cases::loaded_blocks done;
        for (auto const& draft : wanted.drafts)
            done.blocks.push_back(load(draft, wanted.dry_run));
        return done;
    });
    answer<cases::load_block_file>([this](auto const& wanted) -> result<cases::loaded_blocks> {
        block_files.push_back(wanted);
        cases::loaded_blocks done;
        done.blocks.push_back(load(
            {.series = wanted.series->name, .first = 1, .last = 2, .count = {}, .reference = {}},
            wanted.dry_run
        ));
        return done;
    });
    answer<cases::settle_hold>([this](auto const& wanted) -> result<cases::settled_hold> {
        fates = {{wanted.what == settlement::confirm ? "confirmed" : "released", count_max}};
        auto found = find_issuance(wanted.id);
        if (found.has_error())
            return found.error();
        return cases::settled_hold{std::move(*found), 0};
    });
}

result<issuance_record> fake_service::find_issuance(issuance_id const& id) const
{
    for (auto const& [key, made] : by_key_)
        if (made.series_id == id.series_id && made.ranges.front().ordinal == id.ordinal &&
            made.reserve == id.reserve)
            for (auto const& [name, entry] : series)
                if (entry.series_id == id.series_id)
                    return issuance_record{.series = name, .value = as_it_stands(made)};
    return refusal{refusal_kind::unknown_issuance, "there is no such issuance"};
}

issuance fake_service::as_it_stands(issuance made) const
{
    std::vector<issuance_part> parts;
    auto rest = made.ranges.front();
    for (auto const& [fate, count] : fates)
    {
        auto run = rest;
        run.count = std::min(rest.count, count);
        parts.push_back({run, fate});
        rest.serial += run.count;
        rest.ordinal += run.count;
        rest.count -= run.count;
        if (rest.count == 0)
            break;
    }
    if (!parts.empty())
        set_parts(made, std::move(parts));
    return made;
}

result<numbers::number_record> fake_service::look_up(cases::look_up_number const& wanted) const
{
    auto const read = wanted.series->format.read_number(wanted.number);
    for (auto const& each : known_numbers)
        if (read.has_value() && each.series == wanted.series->name && each.serial == read->serial)
            return each;
    return refusal{refusal_kind::unknown_number, "no series holds it"};
}

blocks::block fake_service::load(block_draft const& draft, bool dry_run) const
{
    blocks::block block;
    block.series = draft.series;
    block.first.serial = draft.first;
    block.last.serial = draft.last;
    block.count = draft.last - draft.first + 1;
    block.remaining = block.count;
    block.next = block.first;
    block.state = "queued";
    block.reference = draft.reference;
    if (draft.valid_until)
        block.valid_until = read_rfc3339(draft.valid_until->text);
    block.position = 2;
    block.first_serial = draft.first;
    block.last_serial = draft.last;
    block.dry_run.value = dry_run;
    if (!dry_run)
    {
        block.id = record_id{12};
        block.loaded_by = "token:all";
        block.loaded_at = database_time{};
    }
    print_numbers(block, series.find(draft.series)->second.format);
    return block;
}

}  // namespace gapless::test
