#pragma once

#include "base/contract.hpp"

#include <utility>
#include <vector>

namespace gapless {

/// Interfaces by their type: what handlers use without the server knowing them. Each outlives the
/// set and its copies. A few entries, so looking one up is a short walk.
class service_set
{
public:
    template <class... Interface>
    explicit service_set(Interface&... each)
    {
        (entries_.emplace_back(&key<Interface>, &each), ...);
    }

    /// Null: there is none of this type.
    template <class Interface>
    Interface* find() const noexcept
    {
        for (auto const& [type, one] : entries_)
            if (type == &key<Interface>)
                return static_cast<Interface*>(one);
        return nullptr;
    }

    template <class Interface>
    Interface& get() const
    {
        auto* const found = find<Interface>();
        ensure(found != nullptr, "every interface that a handler uses is in the set");
        return *found;
    }

private:
    template <class Interface>
    static constexpr char key{};  // its address stands for the type

    std::vector<std::pair<char const*, void*>> entries_;
};

}  // namespace gapless
