#include "formats/serial_checker.hpp"

#include "base/contract.hpp"

namespace gapless {
namespace {

constexpr std::string_view characters{"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"};

constexpr std::size_t value_of(char character) noexcept
{
    return static_cast<std::size_t>(character <= '9' ? character - '0' : character - 'A' + 10);
}

}  // namespace

serial_checker::serial_checker(
    check_algorithm const& algorithm,
    std::string_view head,
    std::size_t width,
    std::string_view tail
)
    : algorithm_{&algorithm},
      width_{width},
      tail_{tail}
{
    if (algorithm.kernel == check_kernel::iso7064_hybrid)
        prepare_hybrid(head);
    else if (algorithm.kernel != check_kernel::none)
        prepare_linear(head, width, tail);
}

void serial_checker::prepare_linear(std::string_view head, std::size_t width, std::string_view tail)
{
    auto const length = head.size() + width + tail.size();
    auto const share = [&](std::size_t position, char character) {
        return linear_share(*algorithm_, length, position, character);
    };
    auto const modulus = linear_modulus(*algorithm_);
    auto start = linear_start(*algorithm_, length);
    for (std::size_t position = 0; position < head.size(); ++position)
        start += share(position, head[position]);
    for (std::size_t position = 0; position < tail.size(); ++position)
        start += share(head.size() + width + position, tail[position]);
    start_ = static_cast<std::uint32_t>(start % modulus);

    shares_.resize(width);
    for (std::size_t place = 0; place < width; ++place)
        for (auto const character : characters)
            if (reads(*algorithm_, character))
                shares_[place][value_of(character)] =
                    static_cast<std::uint8_t>(share(head.size() + place, character));

    ensure(static_cast<std::size_t>(modulus) <= results_.size(), "a modulus is at most 32");
    modulus_ = static_cast<std::uint32_t>(modulus);
    for (auto rest = 0; rest < modulus; ++rest)
        results_[static_cast<std::size_t>(rest)] = linear_character(*algorithm_, rest);
}

void serial_checker::prepare_hybrid(std::string_view head)
{
    auto const size = algorithm_->alphabet.size();
    next_.resize(size + 1);
    for (std::size_t state = 1; state <= size; ++state)
        for (std::size_t value = 0; value < size; ++value)
        {
            auto const sum = (state + value) % size;
            next_[state][value] =
                static_cast<std::uint8_t>((sum == 0 ? size : sum) * 2 % (size + 1));
        }
    first_state_ = static_cast<std::uint8_t>(size);
    for (auto const character : head)
        first_state_ = next_[first_state_][value_of(character)];
}

char serial_checker::character_for(char const* serial) const noexcept
{
    if (next_.empty())
    {
        auto sum = start_;
        for (std::size_t place = 0; place < width_; ++place)
            sum += shares_[place][value_of(serial[place])];
        return results_[sum % modulus_];
    }
    auto state = first_state_;
    for (std::size_t place = 0; place < width_; ++place)
        state = next_[state][value_of(serial[place])];
    for (auto const character : tail_)
        state = next_[state][value_of(character)];
    auto const size = algorithm_->alphabet.size();
    return algorithm_->alphabet[(size + 1 - state) % size];
}

}  // namespace gapless
