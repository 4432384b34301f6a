#include "cli/progress.hpp"

#include "cli/output.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <unistd.h>

namespace gapless::cli {

namespace {

constexpr std::size_t bar_characters = 30;
constexpr std::chrono::milliseconds redraw_interval{100};
constexpr std::chrono::milliseconds first_pause{500};

}  // namespace

progress::progress(std::string what, std::size_t total)
    : what_{std::move(what)},
      total_{std::max<std::size_t>(total, 1)},
      enabled_{::isatty(STDERR_FILENO) == 1},
      next_{clock::now() + first_pause}
{
}

progress::~progress()
{
    if (!drawn_)
        return;
    constexpr std::string_view wipe = "\r\x1b[K";
    [[maybe_unused]] auto const written = ::write(STDERR_FILENO, wipe.data(), wipe.size());
}

void progress::show(std::size_t done)
{
    if (!enabled_ || clock::now() < next_)
        return;
    next_ = clock::now() + redraw_interval;
    drawn_ = true;
    auto const filled = std::min(bar_characters, done * bar_characters / total_);
    write_message(fmt::format(
        "\r[{}{}] {} of {} {}\x1b[K",
        std::string(filled, '#'),
        std::string(bar_characters - filled, '.'),
        done,
        total_,
        what_
    ));
}

}  // namespace gapless::cli
