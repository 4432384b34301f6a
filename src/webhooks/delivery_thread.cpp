#include "webhooks/delivery_thread.hpp"

#include "webhooks/delivery_worker.hpp"

namespace gapless {

delivery_thread::delivery_thread(delivery_rules rules, listener done)
    : worker_{std::make_unique<delivery_worker>(std::move(rules), std::move(done))},
      thread_{[this] { worker_->run(); }}
{
}

delivery_thread::~delivery_thread()
{
    worker_->stop();
    thread_.join();
}

void delivery_thread::send(delivery wanted)
{
    worker_->take(std::move(wanted));
}

}  // namespace gapless
