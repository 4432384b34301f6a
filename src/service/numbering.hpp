#pragma once

#include "domain/format/bound_format.hpp"
#include "domain/health_check.hpp"
#include "domain/issuance_id.hpp"
#include "domain/number_record.hpp"
#include "domain/records.hpp"
#include "domain/token.hpp"
#include "service/figures.hpp"
#include "store/answer_store.hpp"

#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gapless {

/// What never changes about a series and every issue needs. Lives as long as the service.
struct series_entry
{
    std::int32_t series_id{};
    std::string name;
    bound_format format;  // how its numbers are written and read
};

/// A number that was found, and the series it belongs to.
struct found_number
{
    series_entry const* series{};
    number_record record;
};

/// Told once, on the I/O thread, how an issue request ended.
class issue_listener
{
public:
    virtual ~issue_listener() = default;
    virtual void ended(result<issuance> outcome) = 0;
};

/// What readiness depends on, each part told apart.
struct readiness
{
    bool database{};                       // answers
    bool schema{};                         // is this program's
    bool primary{};                        // not in recovery
    bool lane{};                           // the issuing connection stands
    bool fenced{};                         // no number may leave: it could leave a second time
    bool safe{};                           // no setting of the server forbids issuing
    bool stale{};                          // too long ago to count
    bool accept_risk{};                    // such a setting does not count: an operator said so
    std::int32_t epoch{};                  // 0: unknown
    std::string detail;                    // what is wrong and the way out; empty when ready
    std::vector<health_check> warnings{};  // what to see to on the server

    bool ready() const noexcept
    {
        return database && schema && primary && lane && !fenced && safe && !stale;
    }
};

/// Turns the effect of a request into its answer, inside the transaction that has the effect. Runs
/// on a database thread, maybe more than once, so it only computes.
template <class Record>
using renderer = std::function<kept_answer(Record const&)>;

/// An answer, new or from its first time.
struct rendered_answer
{
    kept_answer answer;
    bool replayed{};
};

/// The use cases of the service, as the HTTP layer sees them. An interface, so that handlers are
/// tested without a database. Every call is made on the I/O thread and ends there; none blocks it.
/// Refusals common to all: overloaded, database_unavailable; outcome_unknown where something is
/// changed.
class numbering
{
public:
    virtual ~numbering() = default;

    /// Who presents this token, if that is known without asking the database; else null. Never null
    /// for a token that identify() accepted a moment ago. Constant time in the secret.
    virtual std::shared_ptr<principal const> known_principal(std::string_view token) = 0;

    /// Who presents this token. Refuses with unauthenticated.
    virtual boost::asio::awaitable<result<std::shared_ptr<principal const>>> identify(
        std::string token
    ) = 0;

    /// Counts one request of a token that has a rate. Refuses with too_many_requests. From memory.
    virtual result<void> count_request(principal const& who) = 0;

    /// Takes the numbers of a request out of the day's quota of a token that has one. Refuses with
    /// too_many_requests, unless the key was spent: such a request gets what it got.
    virtual boost::asio::awaitable<result<quota_share>> take_quota(
        std::shared_ptr<principal const> who, issue_request request
    ) = 0;

    /// Gives a share back of which no number left.
    virtual void give_back(quota_share const& share) = 0;

    /// The series of that name, if that is known without asking the database; else null.
    virtual series_entry const* known_series(std::string_view name) const = 0;

    /// The series of that name. Refuses with unknown_series.
    virtual boost::asio::awaitable<result<series_entry const*>> find_series(std::string name) = 0;

    /// Queues an issue request; `listener` is told the outcome. Refuses with series_exhausted,
    /// not_contiguous, series_paused, idempotency_key_reused, fenced. Safe to repeat with the same
    /// key.
    virtual void issue(issue_request request, std::unique_ptr<issue_listener> listener) = 0;

    /// Refuses with unknown_issuance.
    virtual boost::asio::awaitable<result<issuance_record>> read_issuance(issuance_id id) = 0;

    virtual boost::asio::awaitable<result<std::vector<series_record>>> list_series() = 0;

    /// Refuses with unknown_series.
    virtual boost::asio::awaitable<result<series_record>> read_series(std::string name) = 0;

    /// Refuses with state_conflict, out_of_range, idempotency_key_reused. `identity` none: the
    /// request has no key.
    virtual boost::asio::awaitable<result<rendered_answer>> create_series(
        series_draft draft,
        request_actor actor,
        std::optional<request_identity> identity,
        renderer<series_record> render
    ) = 0;

    /// Refuses with unknown_series, precondition_failed, out_of_range.
    virtual boost::asio::awaitable<result<series_record>> change_series(
        std::string name, series_change change, request_actor actor
    ) = 0;

    /// Refuses with unknown_series.
    virtual boost::asio::awaitable<result<std::vector<block_record>>> list_blocks(std::string series
    ) = 0;

    /// Refuses with unknown_series, block_overlap, out_of_range, idempotency_key_reused. `dry_run`:
    /// everything is checked, nothing is kept.
    virtual boost::asio::awaitable<result<rendered_answer>> load_block(
        block_draft draft,
        request_actor actor,
        std::optional<request_identity> identity,
        bool dry_run,
        renderer<block_record> render
    ) = 0;

    /// Confirms or releases runs of serials of a hold, or (none given) all that is still held; then
    /// `render` is given the issuance as it is now. Repeatable. Refuses with unknown_issuance,
    /// hold_expired, state_conflict, unknown_number, idempotency_key_reused.
    virtual boost::asio::awaitable<result<rendered_answer>> settle_hold(
        issuance_id id,
        std::vector<serial_range> ranges,
        bool confirm,
        request_actor actor,
        std::optional<request_identity> identity,
        renderer<issuance_record> render
    ) = 0;

    /// Records an event for runs of serials; `render` is told how many numbers changed. Refuses
    /// with unknown_number, state_conflict, out_of_range, idempotency_key_reused.
    virtual boost::asio::awaitable<result<rendered_answer>> note_event(
        std::int32_t series_id,
        event_draft event,
        request_actor actor,
        std::optional<request_identity> identity,
        renderer<std::int64_t> render
    ) = 0;

    /// What became of a number, in any spelling. Refuses with unknown_number, saying why it is none
    /// of the series.
    virtual boost::asio::awaitable<result<number_record>> read_number(
        series_entry const* series, std::string number
    ) = 0;

    /// The same in every series `who` sees; the first that holds the number. Refuses with
    /// unknown_number.
    virtual boost::asio::awaitable<result<found_number>> search_number(
        std::shared_ptr<principal const> who, std::string number
    ) = 0;

    /// A page of the ledger of a series by ordinal.
    virtual boost::asio::awaitable<result<std::vector<ledger_row>>> read_ledger(
        std::int32_t series_id, ledger_page page
    ) = 0;

    /// Every format: the catalogue's and the shipper's own.
    virtual boost::asio::awaitable<result<std::vector<number_declaration>>> list_formats() = 0;

    /// Keeps a format of the shipper's own. Refuses with out_of_range, state_conflict,
    /// idempotency_key_reused.
    virtual boost::asio::awaitable<result<rendered_answer>> declare_format(
        number_declaration declaration,
        request_actor actor,
        std::optional<request_identity> identity,
        renderer<number_declaration> render
    ) = 0;

    /// Takes as long as the ledger is long; at most one runs at a time, a second one is refused
    /// with overloaded.
    virtual boost::asio::awaitable<result<verification>> verify(std::string series) = 0;

    /// What is known of readiness, from memory: what the database said at most five seconds ago, or
    /// stale, and how the issuing connection stands at this moment.
    virtual readiness known_readiness() const = 0;

    /// How the service is doing, from memory.
    virtual service_figures figures() const = 0;
};

/// Issues as an awaitable: suspends the calling coroutine until the outcome is there.
inline boost::asio::awaitable<result<issuance>> issue(numbering& service, issue_request request)
{
    auto const initiate =
        []<class Handler>(Handler handler, numbering* asked, issue_request wanted) {
            struct waiting : issue_listener
            {
                explicit waiting(Handler h) : resume{std::move(h)} {}
                void ended(result<issuance> outcome) override
                {
                    std::move(resume)(std::move(outcome));
                }
                Handler resume;
            };
            asked->issue(std::move(wanted), std::make_unique<waiting>(std::move(handler)));
        };
    return boost::asio::async_initiate<
        boost::asio::use_awaitable_t<> const,
        void(result<issuance>)>(initiate, boost::asio::use_awaitable, &service, std::move(request));
}

}  // namespace gapless
