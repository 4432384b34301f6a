#pragma once

#include "base/refusal.hpp"
#include "postgres/connection.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>

namespace gapless {

/// What a piece of work does in the database; determines its time limit, and how many threads such
/// work may occupy.
enum class work_kind
{
    read = 1,    // waits for no row lock
    write,       // may wait for one, up to lock_timeout
    proof,       // duration grows with the ledger
    comparison,  // duration grows with an invoice and the states of its series
    load,        // a write whose duration grows with a file of blocks; one at a time
};

/// What the threads have to know about a piece of work before they start it.
struct work_order
{
    work_kind kind{work_kind::read};
    std::int32_t series_id{};  // that is changed; one piece of work at a time; 0: none
};

/// For work that writes and belongs to no single series.
inline constexpr work_order write_order{.kind = work_kind::write};

/// One piece of work for a database thread: what the thread does with a connection, and the caller.
/// The caller is notified once, on the I/O thread: of the outcome, or at the deadline, when nobody
/// waits any longer. Then the connection of a thread that still works is broken.
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
    clock::time_point latest{};  // until it starts, then until it ends. I/O thread only
    bool told{};                 // the answer is on its way to the caller. I/O thread only

    /// Uses this connection from now on. False: cut off, nothing may begin. On the thread.
    bool use(std::shared_ptr<connection_switch> line);

    /// Something may happen in the database from now on. False as above. On the thread.
    bool begin();

    /// Uses no connection any more. On the thread.
    void let_go();

    /// Breaks the connection in use and keeps the work from beginning. Returns whether it had
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
