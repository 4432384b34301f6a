#pragma once

#include "domain/health_check.hpp"
#include "domain/series_entry.hpp"
#include "domain/token.hpp"
#include "service/figures.hpp"
#include "service/issue_listener.hpp"
#include "service/notice_service.hpp"
#include "service/record_service.hpp"
#include "service/webhook_gate.hpp"

#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// What the service offers, as the HTTP layer sees it: a few interfaces, so that handlers are
/// tested without a database. Every call is made on the I/O thread and ends there; none blocks it.
/// Refusals common to all: overloaded, database_unavailable; outcome_unknown where something is
/// changed.
namespace gapless {

/// The series, and their numbers.
class issuing_service
{
public:
    virtual ~issuing_service() = default;

    /// The series of that name, if that is known without asking the database; else null. Lives as
    /// long as the service, here and below.
    virtual series_entry const* known_series(std::string_view name) const = 0;

    /// The series of that name. Refuses with unknown_series.
    virtual boost::asio::awaitable<result<series_entry const*>> find_series(std::string name) = 0;

    /// Queues an issue request; `listener` is told the outcome. Refuses with series_exhausted,
    /// not_contiguous, series_paused, idempotency_key_reused, fenced. Safe to repeat with the same
    /// key.
    virtual void issue(issue_request request, std::unique_ptr<issue_listener> listener) = 0;
};

/// Whose a token is, and how much it may take.
class access_service
{
public:
    virtual ~access_service() = default;

    /// Who presents this token, if that is known without asking the database; else null. Never null
    /// for a token that identify() accepted a moment ago. Constant time in the secret.
    virtual std::shared_ptr<principal const> known_principal(std::string_view token) = 0;

    /// Who presents this token. Refuses with unauthenticated.
    virtual boost::asio::awaitable<result<std::shared_ptr<principal const>>> identify(
        std::string token
    ) = 0;

    /// Believes a token no longer without asking: it was revoked. From memory.
    virtual void forget_token(std::int32_t token_id) = 0;

    /// Counts one request of a token that has a rate. Refuses with too_many_requests. From memory.
    virtual result<void> count_request(principal const& who) = 0;

    /// Takes the numbers of a request out of the day's quota of a token that has one. Refuses with
    /// too_many_requests, unless the key was spent: such a request gets what it got.
    virtual boost::asio::awaitable<result<quota_share>> take_quota(
        std::shared_ptr<principal const> who, issue_request request
    ) = 0;

    /// Gives a share back of which no number was issued.
    virtual void give_back(quota_share const& share) = 0;
};

/// What readiness depends on, each part told apart.
struct readiness
{
    bool database{};                       // answers
    bool schema{};                         // is this program's
    bool pooled{};                         // a pooler in between loses what sessions set
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

/// How the service is doing, from memory.
class status_service
{
public:
    virtual ~status_service() = default;

    /// What the database said at most five seconds ago, or stale, and how the issuing connection
    /// stands at this moment.
    virtual readiness known_readiness() const = 0;

    /// True while numbers of that series would be issued from a reserve, were the database away.
    virtual bool reserve_serves(std::string_view series) const = 0;

    virtual service_figures figures() const = 0;
};

/// All of it.
struct services
{
    issuing_service& issuing;
    access_service& access;
    record_service& records;
    status_service& status;
    notice_service& notices;
    webhook_gate& webhooks;
};

/// Issues as an awaitable: suspends the calling coroutine until the outcome is there.
inline boost::asio::awaitable<result<issuance>> issue(
    issuing_service& service, issue_request request
)
{
    auto const initiate =
        []<class Handler>(Handler handler, issuing_service* asked, issue_request wanted) {
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
