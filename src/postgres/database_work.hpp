#pragma once

#include "base/refusal.hpp"
#include "postgres/connection.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>

namespace gapless {

/// What a piece of work does in the database. How long it may take follows, and how many threads
/// such work may hold.
enum class work_kind
{
    read = 1,    // waits for no lock of a row
    write,       // may wait for one, up to lock_timeout
    proof,       // takes as long as the ledger is long
    comparison,  // takes as long as an invoice, and the states of its series, are long
};

/// What the threads have to know about a piece of work before they take it.
struct work_order
{
    work_kind kind{work_kind::read};
    std::int32_t series_id{};  // that is changed; one piece of work at a time; 0: none
};

/// Of work that writes and belongs to no single series.
inline constexpr work_order write_order{.kind = work_kind::write};

/// One piece of work for a database thread: what a thread does with a connection, and who waits for
/// it. The caller is notified once, on the I/O thread: of the outcome, or at the deadline that
/// nobody waits any longer. The connection of a thread that is still working is then broken.
class database_work
{
public:
    using clock = std::chrono::steady_clock;

    explicit database_work(work_order const& wanted) : order{wanted} {}
    virtual ~database_work() = default;
    database_work(database_work const&) = delete;
    database_work& operator=(database_work const&) = delete;

    /// Tells the caller how the work ended. I/O thread.
    virtual void tell() = 0;

    /// Tells the caller this instead. I/O thread.
    virtual void give_up(refusal why) = 0;

    work_order const order;
    clock::time_point latest{};  // to be taken up by a thread, then to end. I/O thread only
    bool told{};                 // somebody is on the way to the caller. I/O thread only

    /// Works from now on with this connection. False: cut off, nothing may be begun. The thread.
    bool use(std::shared_ptr<connection_switch> line);

    /// From now on something may happen in the database. False as above. The thread.
    bool begin();

    /// Uses no connection any more. The thread.
    void let_go();

    /// Breaks the connection in use, and keeps the work from beginning. Returns whether it had
    /// begun. Any thread; does not wait.
    bool cut_off();

    bool is_cut_off();

private:
    std::mutex mutex_;  // guards what follows
    std::shared_ptr<connection_switch> line_;
    bool begun_{};
    bool cut_off_{};
};

}  // namespace gapless
