#include "http/carrier_handlers.hpp"

#include "cases/carriers.hpp"
#include "http/list_page.hpp"
#include "http/loaded_answer.hpp"
#include "http/path_id.hpp"
#include "http/request_body.hpp"
#include "wire/json_writer.hpp"
#include "wire/record_json.hpp"

#include <algorithm>
#include <limits>
#include <map>

namespace gapless {

namespace asio = boost::asio;

namespace {

/// A proposal as the path names it, and what it belongs to.
struct named_proposal
{
    proposal_record proposal;
    series_entry const* series{};
};

/// The proposal of the path, if it is one of the token's series.
asio::awaitable<result<named_proposal>> find_proposal(exchange& current)
{
    auto const id = read_path_id(current.path[0]);
    if (id == 0)
        co_return refusal{refusal_kind::not_found, "There is no proposal of this id."};
    cases::read_proposal wanted{id, current.who->series};
    auto found = co_await current.service().records.read(std::move(wanted));
    if (found.has_error())
        co_return found.error();
    std::string name{found->series};
    auto const series = co_await current.service().issuing.find_series(std::move(name));
    if (series.has_error())
        co_return series.error();
    named_proposal named;
    named.proposal = std::move(*found);
    named.series = *series;
    co_return named;
}

kept_answer to_answer(series_entry const& series, std::vector<block_record> const& loaded)
{
    return to_loaded_answer(series, {.blocks = loaded}, loaded.size() > 1);
}

kept_answer to_answer(series_entry const& series, proposal_record const& rejected)
{
    kept_answer made{.status = 200, .location = {}, .body = {}};
    append_proposal(series.format, rejected, made.body);
    return made;
}

/// Ends the proposal of the path, once for each key.
template <class Act>
asio::awaitable<result<void>> settle_proposal(exchange& current)
{
    auto identity = read_identity(current);
    if (identity.has_error())
        co_return identity.error();
    if (auto const read = read_body(current, {}); read.has_error())
        co_return read.error();
    auto const named = co_await find_proposal(current);
    if (named.has_error())
        co_return named.error();
    renderer<typename Act::answer> render = [series = named->series](auto const& done) {
        return to_answer(*series, done);
    };
    auto by = current.by(std::move(*identity));
    by.series_id = named->series->series_id;
    Act settle{named->proposal.proposal_id};
    auto made =
        co_await current.service().records.act(std::move(settle), std::move(by), std::move(render));
    if (made.has_error())
        co_return made.error();
    write_kept(current, std::move(*made));
    co_return result<void>{};
}

}  // namespace

asio::awaitable<result<void>> get_proposals(exchange& current)
{
    auto const page = read_list_page(current);
    if (page.has_error())
        co_return page.error();
    cases::list_proposals wanted{current.who->series};
    wanted.after = static_cast<std::int32_t>(
        std::min<std::int64_t>(page->after, std::numeric_limits<std::int32_t>::max())
    );
    wanted.limit =
        static_cast<std::int32_t>(page->limit) + 1;  // one more tells whether more follow
    auto const found = co_await current.service().records.read(std::move(wanted));
    if (found.has_error())
        co_return found.error();
    std::map<std::string_view, series_entry const*> known;
    for (auto const& proposal : *found)
    {
        std::string name{proposal.series};
        auto const series = co_await current.service().issuing.find_series(std::move(name));
        if (series.has_error())
            co_return series.error();
        known[proposal.series] = *series;
    }
    auto const id_of = [](proposal_record const& proposal) { return proposal.proposal_id; };
    auto const write = [&known](proposal_record const& proposal, std::string& json) {
        append_proposal(known.at(proposal.series)->format, proposal, json);
    };
    append_page(current.out.body, *page, *found, id_of, write);
    co_return result<void>{};
}

asio::awaitable<result<void>> get_proposal(exchange& current)
{
    auto const named = co_await find_proposal(current);
    if (named.has_error())
        co_return named.error();
    append_proposal(named->series->format, named->proposal, current.out.body);
    co_return result<void>{};
}

asio::awaitable<result<void>> post_proposal_confirmation(exchange& current)
{
    return settle_proposal<cases::confirm_proposal>(current);
}

asio::awaitable<result<void>> post_proposal_rejection(exchange& current)
{
    return settle_proposal<cases::reject_proposal>(current);
}

}  // namespace gapless
