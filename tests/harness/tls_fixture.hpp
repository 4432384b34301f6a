#pragma once

#include "harness/certificate.hpp"
#include "harness/http_fixture.hpp"
#include "harness/tls_client.hpp"

#include <memory>

namespace gapless::test {

inline constexpr int tls_1_1{0x0302};
inline constexpr int tls_1_2{0x0303};
inline constexpr int tls_1_3{0x0304};

/// A server that speaks TLS.
struct tls_fixture : http_fixture
{
    explicit tls_fixture(http_limits const& limits = {}) : http_fixture{limits} { read_files(); }

    void read_files()
    {
        web.use_tls(std::make_shared<tls_context>(files.certificate(), files.key()));
    }

    tls_client connect_tls(tls_wish const& wish = {}) { return {io, web.local_endpoint(), wish}; }

    /// Runs the server until the condition holds; false when that takes too long.
    template <class Condition>
    bool happens(Condition condition)
    {
        auto const end = std::chrono::steady_clock::now() + std::chrono::seconds{5};
        while (!condition() && std::chrono::steady_clock::now() < end)
        {
            io.restart();
            io.run_for(std::chrono::milliseconds{2});
        }
        return condition();
    }

    certificate_files files;
};

/// The same with short deadlines.
struct quick_tls_fixture : tls_fixture
{
    quick_tls_fixture() : tls_fixture{quick_limits()} {}
};

}  // namespace gapless::test
