#include "reserve/local_disk.hpp"

#include <array>
#include <sys/vfs.h>

namespace gapless {

namespace {

struct row
{
    std::uint32_t magic;
    std::string_view name;
};

/// From statfs(2), linux/magic.h and the sources of file systems outside the kernel.
constexpr std::array rows{
    row{0x00006969, "nfs"},
    row{0x0000517b, "smb"},
    row{0xfe534d42, "smb2"},
    row{0xff534d42, "cifs"},
    row{0x65735546, "fuse"},  // sshfs, s3fs, glusterfs and others, which look the same
    row{0x01021997, "9p"},    // a folder of a virtual machine's host
    row{0x786f4256, "vboxsf"},
    row{0xbacbacbc, "vmhgfs"},
    row{0x00c36400, "ceph"},
    row{0x5346414f, "afs"},
    row{0x6b414653, "afs"},
    row{0x73757245, "coda"},
    row{0x0000564c, "ncp"},
    row{0x47504653, "gpfs"},
    row{0x0bd00bd0, "lustre"},
    row{0x19830326, "beegfs"},
    row{0x7461636f, "ocfs2"},
    row{0x01161970, "gfs2"}};

}  // namespace

std::string_view network_file_system(std::uint32_t magic) noexcept
{
    for (auto const& row : rows)
        if (row.magic == magic)
            return row.name;
    return {};
}

std::string_view network_file_system_of(int handle) noexcept
{
    struct statfs about;
    if (::fstatfs(handle, &about) != 0)
        return {};
    return network_file_system(static_cast<std::uint32_t>(about.f_type));
}

}  // namespace gapless
