#pragma once

#include "base/contract.hpp"

#include <algorithm>
#include <concepts>
#include <type_traits>
#include <utility>
#include <vector>

namespace gapless {

/// Interfaces by their type: what handlers use without the server knowing them. Each outlives the
/// set and its copies. A few entries, so looking one up is a short walk.
class service_set
{
public:
    template <class... Interface>
    requires(
        !std::same_as<std::remove_const_t<Interface>, service_set> && ...
    ) explicit service_set(Interface&... each)
    {
        (entries_.emplace_back(&key<Interface>, &each), ...);
    }

    template <class Interface>
    Interface& get() const
    {
        auto const found = std::ranges::find(entries_, &key<Interface>, &entry::first);
        ensure(found != entries_.end(), "every interface that a handler uses is in the set");
        return *static_cast<Interface*>(found->second);
    }

private:
    template <class Interface>
    static constexpr char key{};  // its address stands for the type

    using entry = std::pair<char const*, void*>;
    std::vector<entry> entries_;
};

}  // namespace gapless
