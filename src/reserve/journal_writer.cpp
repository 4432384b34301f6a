#include "reserve/journal_writer.hpp"

#include "base/contract.hpp"

#include <utility>

namespace gapless {

journal_writer::journal_writer(std::unique_ptr<lease_journal> file, flushed tell)
    : file_{std::move(file)},
      file_path_{file_->file()},
      tell_{std::move(tell)},
      size_{file_->size()}
{
    thread_ = std::jthread{[this](std::stop_token const& stop) { write_until(stop); }};
}

journal_writer::~journal_writer()
{
    thread_.request_stop();
    thread_.join();
}

std::uint64_t journal_writer::append(std::string_view record)
{
    std::uint64_t count = 0;
    {
        std::lock_guard const lock{mutex_};
        count = ++appended_;
        if (failure_.empty())
            waiting_ += record;
    }
    changed_.notify_all();
    return count;
}

void journal_writer::append_and_wait(std::string_view record)
{
    auto const count = append(record);
    std::unique_lock lock{mutex_};
    changed_.wait(lock, [&] { return durable_ >= count || !failure_.empty(); });
    if (durable_ < count)
        throw lease_journal_failure{failure_};
}

void journal_writer::make_room(std::uint64_t bytes)
{
    std::lock_guard const writing{writing_};
    file_->make_room(bytes);
}

void journal_writer::retire()
{
    std::unique_lock writing{writing_};
    {
        std::lock_guard const lock{mutex_};
        if (!failure_.empty())
            throw lease_journal_failure{failure_};
        ensure(waiting_.empty(), "a journal of leases is retired when all is written");
    }
    file_->retire();
    std::lock_guard const lock{mutex_};
    failure_ = "journal of leases " + file_path_.string() + ": it was retired";
}

std::string journal_writer::failure() const
{
    std::lock_guard const lock{mutex_};
    return failure_;
}

void journal_writer::write_until(std::stop_token const& stop)
{
    for (;;)
    {
        {
            std::unique_lock lock{mutex_};
            if (!changed_.wait(lock, stop, [this] { return !waiting_.empty(); }))
                return;
        }
        std::unique_lock writing{writing_};
        write_waiting(writing);
    }
}

void journal_writer::write_waiting(std::unique_lock<std::mutex>& writing)
{
    std::string records;
    std::uint64_t upto = 0;
    {
        std::lock_guard const lock{mutex_};
        records.swap(waiting_);
        upto = appended_;
    }
    std::string failure;
    try
    {
        file_->append(records);
        file_->flush();
    }
    catch (lease_journal_failure const& why)
    {
        failure = why.what();
    }
    size_ = file_->size();
    {
        std::lock_guard const lock{mutex_};
        if (failure.empty())
            durable_ = upto;
        failure_ = failure;
        if (!failure.empty())
            waiting_.clear();
        upto = durable_;
    }
    writing.unlock();
    changed_.notify_all();
    tell_(upto, failure);
}

}  // namespace gapless
