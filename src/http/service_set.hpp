#pragma once

#include "base/contract.hpp"

#include <algorithm>
#include <concepts>
#include <type_traits>
#include <utility>
#include <vector>

namespace gapless {

/// Interfaces by type: handlers use them without the server knowing them. Each must outlive the set
/// and its copies. Look-up is a walk over a few entries.
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
    static constexpr char key{};  // its address identifies the type

    using entry = std::pair<char const*, void*>;
    std::vector<entry> entries_;
};

}  // namespace gapless
