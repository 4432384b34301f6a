#include "postgres/database_work.hpp"

#include <utility>

namespace gapless {

bool database_work::use(std::shared_ptr<connection_switch> line)
{
    std::lock_guard const lock{mutex_};
    line_ = std::move(line);
    return !cut_off_;
}

bool database_work::begin()
{
    std::lock_guard const lock{mutex_};
    begun_ = begun_ || !cut_off_;
    return !cut_off_;
}

void database_work::let_go()
{
    std::lock_guard const lock{mutex_};
    line_.reset();
}

bool database_work::cut_off()
{
    std::lock_guard const lock{mutex_};
    cut_off_ = true;
    if (line_)
        line_->turn_off();
    return begun_;
}

bool database_work::is_cut_off()
{
    std::lock_guard const lock{mutex_};
    return cut_off_;
}

}  // namespace gapless
