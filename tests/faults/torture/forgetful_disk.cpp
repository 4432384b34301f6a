// A file system for tests that loses at a power failure what was not flushed. Made and mounted by
// tools/torturelib/forgetful.py, for T16.
//
//     forgetful_disk BELOW MOUNT
//
// MOUNT shows the folder BELOW. What is written to a file, and its length, stay in the memory of
// this process until the file is synced; SIGKILL is the power failure. Names are not forgotten: a
// file that was made and never synced is there afterwards, and empty. How many bytes would be lost
// at this moment is the extended attribute user.unsynced of the root.
//
// One request at a time, so nothing is locked.
#define FUSE_USE_VERSION 314

#include "unsynced_files.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <fuse.h>
#include <string>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

namespace {

int below = -1;  // the folder
gapless::test::unsynced_files unsynced;

char const* name_of(char const* path)
{
    return path[1] == '\0' ? "." : path + 1;
}

int outcome(int result)
{
    return result < 0 ? -errno : 0;
}

/// A name is about to go.
void forget(char const* path)
{
    struct stat seen
    {
    };
    if (::fstatat(below, name_of(path), &seen, AT_SYMLINK_NOFOLLOW) == 0)
        unsynced.forget(seen);
}

int handle_of(fuse_file_info const* file)
{
    return static_cast<int>(file->fh);
}

/// What the caller makes is the caller's.
void give_to_caller(char const* path)
{
    auto const* caller = fuse_get_context();
    if (::fchownat(below, name_of(path), caller->uid, caller->gid, AT_SYMLINK_NOFOLLOW) < 0)
        std::perror("fchownat");
}

// The acts, by the names FUSE has for them.

int act_getattr(char const* path, struct stat* seen, fuse_file_info*)
{
    if (::fstatat(below, name_of(path), seen, AT_SYMLINK_NOFOLLOW) < 0)
        return -errno;
    seen->st_size = unsynced.size_of(*seen);
    return 0;
}

int act_readlink(char const* path, char* target, std::size_t size)
{
    auto const length = ::readlinkat(below, name_of(path), target, size - 1);
    if (length < 0)
        return -errno;
    target[length] = '\0';
    return 0;
}

int act_mkdir(char const* path, mode_t mode)
{
    if (::mkdirat(below, name_of(path), mode) < 0)
        return -errno;
    give_to_caller(path);
    return 0;
}

int act_unlink(char const* path)
{
    forget(path);
    return outcome(::unlinkat(below, name_of(path), 0));
}

int act_rmdir(char const* path)
{
    return outcome(::unlinkat(below, name_of(path), AT_REMOVEDIR));
}

int act_symlink(char const* target, char const* path)
{
    if (::symlinkat(target, below, name_of(path)) < 0)
        return -errno;
    give_to_caller(path);
    return 0;
}

int act_rename(char const* from, char const* to, unsigned flags)
{
    if (flags == 0)
        forget(to);
    return outcome(::renameat2(below, name_of(from), below, name_of(to), flags));
}

int act_link(char const* from, char const* to)
{
    return outcome(::linkat(below, name_of(from), below, name_of(to), 0));
}

int act_chmod(char const* path, mode_t mode, fuse_file_info*)
{
    return outcome(::fchmodat(below, name_of(path), mode, 0));
}

int act_chown(char const* path, uid_t user, gid_t group, fuse_file_info*)
{
    return outcome(::fchownat(below, name_of(path), user, group, AT_SYMLINK_NOFOLLOW));
}

int act_utimens(char const* path, timespec const times[2], fuse_file_info*)
{
    return outcome(::utimensat(below, name_of(path), times, AT_SYMLINK_NOFOLLOW));
}

int act_truncate(char const* path, off_t size, fuse_file_info* file)
{
    if (file != nullptr)
        return unsynced.truncate(handle_of(file), size);
    auto const handle = ::openat(below, name_of(path), O_RDWR | O_CLOEXEC);
    if (handle < 0)
        return -errno;
    auto const result = unsynced.truncate(handle, size);
    ::close(handle);
    return result;
}

int act_open(char const* path, fuse_file_info* file)
{
    // Whoever only reads may sync, too, and a page that is written in part is read first.
    auto const handle = ::openat(below, name_of(path), O_RDWR | O_CLOEXEC);
    if (handle < 0)
        return -errno;
    file->fh = static_cast<std::uint64_t>(handle);
    return (file->flags & O_TRUNC) != 0 ? unsynced.truncate(handle, 0) : 0;
}

int act_create(char const* path, mode_t mode, fuse_file_info* file)
{
    auto const flags = O_RDWR | O_CREAT | O_CLOEXEC | (file->flags & O_EXCL);
    auto const handle = ::openat(below, name_of(path), flags, mode);
    if (handle < 0)
        return -errno;
    give_to_caller(path);
    file->fh = static_cast<std::uint64_t>(handle);
    return (file->flags & O_TRUNC) != 0 ? unsynced.truncate(handle, 0) : 0;
}

int act_read(char const*, char* bytes, std::size_t size, off_t start, fuse_file_info* file)
{
    return unsynced.read(handle_of(file), bytes, size, start);
}

int act_write(char const*, char const* bytes, std::size_t size, off_t start, fuse_file_info* file)
{
    auto const result = unsynced.write(handle_of(file), bytes, size, start);
    if ((file->flags & (O_SYNC | O_DSYNC)) != 0)
        if (auto const failed = unsynced.flush(handle_of(file)); failed != 0)
            return failed;
    return result;
}

int act_fsync(char const*, int, fuse_file_info* file)
{
    return unsynced.flush(handle_of(file));
}

int act_release(char const*, fuse_file_info* file)
{
    return outcome(::close(handle_of(file)));
}

int act_statfs(char const*, struct statvfs* seen)
{
    return outcome(::fstatvfs(below, seen));
}

int act_readdir(
    char const* path, void* list, fuse_fill_dir_t fill, off_t, fuse_file_info*, fuse_readdir_flags
)
{
    auto const handle = ::openat(below, name_of(path), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    auto* const folder = handle < 0 ? nullptr : ::fdopendir(handle);
    if (folder == nullptr)
        return -errno;
    while (auto const* entry = ::readdir(folder))
        fill(list, entry->d_name, nullptr, 0, fuse_fill_dir_flags{});
    ::closedir(folder);
    return 0;
}

int act_fsyncdir(char const*, int, fuse_file_info*)
{
    return 0;  // names are never forgotten
}

int act_getxattr(char const* path, char const* name, char* value, std::size_t size)
{
    if (std::strcmp(path, "/") != 0 || std::strcmp(name, "user.unsynced") != 0)
        return -ENODATA;
    auto const text = std::to_string(unsynced.bytes());
    if (size == 0)
        return static_cast<int>(text.size());
    if (size < text.size())
        return -ERANGE;
    std::copy(text.begin(), text.end(), value);
    return static_cast<int>(text.size());
}

}  // namespace

int main(int count, char** words)
{
    below = count == 3 ? ::open(words[1], O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (below < 0)
    {
        std::fprintf(stderr, "usage: forgetful_disk BELOW MOUNT\n");
        return 2;
    }
    ::umask(0);
    fuse_operations acts{};
    acts.getattr = act_getattr;
    acts.readlink = act_readlink;
    acts.mkdir = act_mkdir;
    acts.unlink = act_unlink;
    acts.rmdir = act_rmdir;
    acts.symlink = act_symlink;
    acts.rename = act_rename;
    acts.link = act_link;
    acts.chmod = act_chmod;
    acts.chown = act_chown;
    acts.utimens = act_utimens;
    acts.truncate = act_truncate;
    acts.open = act_open;
    acts.create = act_create;
    acts.read = act_read;
    acts.write = act_write;
    acts.fsync = act_fsync;
    acts.release = act_release;
    acts.statfs = act_statfs;
    acts.readdir = act_readdir;
    acts.fsyncdir = act_fsyncdir;
    acts.getxattr = act_getxattr;
    std::string options{"allow_other,default_permissions,fsname=forgetful_disk"};
    std::string flags[] = {"-f", "-s", "-o"};
    char* arguments[] = {
        words[0], flags[0].data(), flags[1].data(), flags[2].data(), options.data(), words[2]};
    return fuse_main(6, arguments, &acts, nullptr);
}
