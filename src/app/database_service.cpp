#include "app/database_service.hpp"

#include "postgres/interface.hpp"
#include "reserve/journal_folder.hpp"

namespace gapless {

namespace asio = boost::asio;

namespace {

admission_check admission_by(journal* kept)
{
    if (!kept)
        return {};
    return [kept](life_reader const& read_life, marks_reader const& read_marks) {
        return kept->judge(read_life, read_marks);
    };
}

std::function<void(series_mark const&)> memory_in(journal* kept)
{
    if (!kept)
        return {};
    return [kept](series_mark const& mark) { kept->note(mark); };
}

std::function<series_mark(std::int32_t, std::int32_t)> notes_in(journal* kept)
{
    if (!kept)
        return {};
    return [kept](std::int32_t series_id, std::int32_t epoch) {
        return kept->noted(series_id, epoch);
    };
}

/// The health watch has no such check: it distinguishes the cases itself.
database_threads::connection_check check_for(std::string environment)
{
    return [environment = std::move(environment)](pqxx::connection& connection) {
        auto const found = run_read(connection, [&](auto& transaction) {
            return service_obstacle(transaction, environment);
        });
        return found.has_error() ? found.error().detail : *found;
    };
}

/// Threads, health watch, webhook sender, lease manager, two issue connections, one spare.
int connections_of(thread_limits const& limits)
{
    return static_cast<int>(limits.threads) + 6;
}

}  // namespace

database_service::database_service(asio::io_context& io, service_settings settings)
    : journal_{open_journal_folder(settings.journal)},
      series_{threads_},
      series_lines_{settings.metrics_series},
      threads_{io, settings.database_url, check_for(settings.environment), settings.threads},
      queue_{
          io,
          {.database_url = settings.database_url,
           .admit = admission_by(journal_.get()),
           .accept_risk = settings.accept_risk,
           .environment = settings.environment,
           .changed =
               [this] {
                   threads_.forget_connections();
                   health_.forget_connections();
                   webhooks_.forget_connections();
                   reserve_.forget_connections();
               }},
          settings.queue,
          {.remember = memory_in(journal_.get()),
           .noted = notes_in(journal_.get()),
           .locked = [this](std::int32_t series_id) { locks_.look_for_blocker(series_id); },
           .free_again = [this](std::int32_t series_id) { locks_.note_free(series_id); },
           .database_changed = [this] { series_.forget(); },
           .connection_changed = [this] { reserve_.on_connection_changed(); }}},
      locks_{io, threads_, series_, queue_},
      access_{io, threads_, settings.token_life, settings.limits},
      records_{threads_, settings.sweep.answer_life},
      housekeeping_{
          io, threads_, access_.quotas(), [this] { return webhooks_.has_turn(); }, settings.sweep},
      notices_{
          io,
          records_,
          [this] { return queue_.fenced(); },
          {.waiters_max = settings.notice_waiters_max}},
      publisher_{
          io,
          threads_,
          {.has_turn = [this] { return webhooks_.has_turn(); },
           .published =
               [this] {
                   notices_.look_soon();
                   webhooks_.look_soon();
               },
           .looked = [this](series::series_look seen
                     ) { housekeeping_.note_series(std::move(seen)); }}},
      health_{
          io,
          threads_,
          queue_,
          {.database_url = settings.database_url,
           .environment = settings.environment,
           .accept_risk = settings.accept_risk,
           .connections = connections_of(settings.threads)}},
      address_check_{io, settings.webhook_networks},
      webhooks_{
          io,
          settings.database_url,
          check_for(settings.environment),
          {.networks = settings.webhook_networks}},
      reserve_{
          io,
          {.database_url = settings.database_url,
           .folder = settings.journal,
           .lease_time = settings.lease_time,
           .answer_time_max = settings.queue.issue_time_max,
           .keys_max = settings.reserve_keys_max,
           .limits = settings.limits},
          check_for(settings.environment),
          queue_,
          series_,
          journal_.get()}
{
    access_.trust_in_outages(reserve_);
}

service_set database_service::offered()
{
    return service_set{
        static_cast<issuing_service&>(*this),
        static_cast<series_lookup&>(*this),
        static_cast<status_service&>(*this),
        static_cast<access_service&>(access_),
        static_cast<token_service&>(access_),
        static_cast<record_service&>(records_),
        static_cast<notice_service&>(notices_),
        static_cast<pending_requests&>(notices_),
        static_cast<url_check&>(address_check_)};
}

void database_service::start()
{
    queue_.start();
    housekeeping_.start();
    publisher_.start();
    health_.start();
    webhooks_.start();
    reserve_.start();
}

void database_service::stop()
{
    housekeeping_.stop();
    publisher_.stop();
    notices_.end_waiting();
    webhooks_.stop();
    reserve_.stop();  // while the queue still knows whether there is a database
    queue_.stop();
    threads_.stop();
    health_.stop();
    access_.quotas().return_all();
}

series_entry const* database_service::known_series(std::string_view name) const
{
    return series_.known(name);
}

asio::awaitable<result<series_entry const*>> database_service::find_series(std::string name)
{
    return series_.find(std::move(name));
}

void database_service::issue(issue_request request, std::unique_ptr<issue_listener> listener)
{
    reserve_.issue(std::move(request), std::move(listener));
}

readiness database_service::known_readiness() const
{
    return health_.known();
}

bool database_service::reserve_serves(std::string_view series) const
{
    auto const* const entry = series_.known(series);
    return entry != nullptr && reserve_.serves(entry->series_id);
}

service_figures database_service::figures() const
{
    return {
        .queue = queue_.counters(),
        .waiting = queue_.waiting(),
        .connected = queue_.connected() && !queue_.silent(),
        .refused = !health_.known().ready() || queue_.refusing(),
        .fenced = queue_.fenced(),
        .locked = locks_.locked(),
        .series = housekeeping_.series(),
        .series_read = housekeeping_.series_read(),
        .series_lines = series_lines_,
        .sealed = housekeeping_.sealer().sealed(),
        .checks = health_.checks(),
        .notice_waiters = notices_.waiting(),
        .reserve = reserve_.figures()};
}

}  // namespace gapless
