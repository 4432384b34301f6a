#pragma once

#include <chrono>
#include <string>

namespace gapless::test {

/// What a self-signed certificate says.
struct certificate_wish
{
    std::string name{"localhost"};     // subject and DNS name
    std::chrono::seconds begins{-60};  // from now on
    std::chrono::seconds ends{3'600};
    bool on_loopback{true};  // also for 127.0.0.1
    bool fits_key{true};     // false: the key written beside it is another one
};

/// A folder of its own with a certificate and its key, both PEM; removed at the end.
class certificate_files
{
public:
    explicit certificate_files(certificate_wish const& wish = {});
    ~certificate_files();
    certificate_files(certificate_files const&) = delete;
    certificate_files& operator=(certificate_files const&) = delete;

    /// Writes others in their place.
    void renew(certificate_wish const& wish);

    std::string certificate() const { return folder_ + "/cert.pem"; }
    std::string key() const { return folder_ + "/key.pem"; }

private:
    std::string folder_;
};

}  // namespace gapless::test
