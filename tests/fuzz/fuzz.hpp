#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace gapless::test {

/// Ends the program, so that libFuzzer keeps the input, and says what does not hold.
inline void expect(bool holds, char const* promise)
{
    if (holds)
        return;
    std::fprintf(stderr, "\nnot so: %s\n", promise);
    std::abort();
}

/// The bytes of one run, taken from the front.
class fuzz_input
{
public:
    fuzz_input(std::uint8_t const* data, std::size_t size)
        : rest_{reinterpret_cast<char const*>(data), size}
    {
    }

    /// The next byte; 0 when there is none.
    unsigned byte() noexcept
    {
        if (rest_.empty())
            return 0;
        auto const first = static_cast<unsigned char>(rest_.front());
        rest_.remove_prefix(1);
        return first;
    }

    /// What stands before the next line feed, or all.
    std::string_view line() noexcept
    {
        auto const taken = rest_.substr(0, rest_.find('\n'));
        rest_.remove_prefix(std::min(taken.size() + 1, rest_.size()));
        return taken;
    }

    /// All that is left.
    std::string_view rest() const noexcept { return rest_; }

private:
    std::string_view rest_;
};

}  // namespace gapless::test
