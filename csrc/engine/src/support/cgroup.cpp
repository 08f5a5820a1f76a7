#include "support/cgroup.hpp"

#include <algorithm>
#include <exception>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace polymask::inline POLYMASK_ABI::detail
{

namespace
{

constexpr double no_quota = std::numeric_limits<double>::infinity();
constexpr std::int64_t no_limit = std::numeric_limits<std::int64_t>::max();

/* Version 1 has a tree of groups for each controller, such as "cpu"; version 2 has one for all. */
constexpr std::string_view version_2 = "";

bool lists(std::string_view names, std::string_view name)
{
    const auto enclosed = [](std::string_view text) { return ',' + std::string(text) + ','; };
    return enclosed(names).find(enclosed(name)) != std::string::npos;
}

/* Returns the process's group in a tree, "/" for its root, from a line such as 4:cpu,cpuacct:/jobs
 * or, in version 2, 0::/jobs. */
std::optional<std::string> group_of_process(const std::string &root, std::string_view controller)
{
    std::ifstream lines(root + "/proc/self/cgroup");
    for (std::string line; std::getline(lines, line);) {
        const std::size_t first = line.find(':'), second = line.find(':', first + 1);
        if (first == std::string::npos || second == std::string::npos)
            continue;
        if (lists(line.substr(first + 1, second - first - 1), controller))
            return line.substr(second + 1);
    }
    return std::nullopt;
}

/* The place where a tree, or a part of it, is visible as folders. */
struct Mount {
    std::string top;    /* the group that the folder shows */
    std::string folder; /* its absolute path */
};

/* Returns a field of mountinfo, which writes spaces and backslashes as three octal digits. */
std::string unescaped(const std::string &field)
{
    std::string text;
    for (std::size_t i = 0; i < field.size(); ++i) {
        if (field[i] == '\\' && field.size() - i > 3) {
            const int digits[] = {field[i + 1] - '0', field[i + 2] - '0', field[i + 3] - '0'};
            text += static_cast<char>(64 * digits[0] + 8 * digits[1] + digits[2]);
            i += 3;
        } else {
            text += field[i];
        }
    }
    return text;
}

/* Returns the mounts of a tree, from lines such as
 * 32 31 0:29 / /sys/fs/cgroup/cpu rw,relatime shared:9 - cgroup cgroup rw,cpu,cpuacct */
std::vector<Mount> mounts_of(const std::string &root, std::string_view controller)
{
    std::vector<Mount> mounts;
    std::ifstream lines(root + "/proc/self/mountinfo");
    for (std::string line; std::getline(lines, line);) {
        std::istringstream fields(line);
        std::string skipped, top, folder, type, options;
        fields >> skipped >> skipped >> skipped >> top >> folder;
        while (fields >> skipped && skipped != "-")
            ;
        fields >> type >> skipped >> options;
        if (controller == version_2 ? type == "cgroup2"
                                    : type == "cgroup" && lists(options, controller))
            mounts.push_back({unescaped(top), unescaped(folder)});
    }
    return mounts;
}

/* Returns the path of a group below the top of a mount: "" for the top itself, and nothing if the
 * mount does not show the group. */
std::optional<std::string> below(const std::string &top, const std::string &group)
{
    const auto is_above = [](const std::string &path) { return (path + '/').starts_with("/../"); };
    if (is_above(group)) /* outside the process's cgroup namespace */
        return std::nullopt;
    if (is_above(top)) /* the mount shows a group around the namespace: its limits apply, too */
        return "";
    const std::string prefix = top == "/" ? "" : top, path = group == "/" ? "" : group;
    if (!(path + '/').starts_with(prefix + '/'))
        return std::nullopt;
    return path.substr(prefix.size());
}

/* Returns the folders of the process's group and of the groups around it. */
std::vector<std::string> folders_of(const std::string &root, std::string_view controller)
{
    std::vector<std::string> folders;
    const std::optional<std::string> group = group_of_process(root, controller);
    if (!group)
        return folders;
    for (const Mount &mount : mounts_of(root, controller)) {
        std::optional<std::string> path = below(mount.top, *group);
        if (!path)
            continue;
        for (; !path->empty(); path->erase(path->rfind('/')))
            folders.push_back(root + mount.folder + *path);
        folders.push_back(root + mount.folder);
    }
    return folders;
}

/* Returns the quotient of two positive numbers, from a file or from two: 150000 and 100000, the
 * microseconds in each period. Without a quota, the first is max or -1. */
double quotient(std::istream &quota_us, std::istream &period_us)
{
    double quota = 0, period = 0;
    const bool has_both = quota_us >> quota && period_us >> period;
    return has_both && quota > 0 && period > 0 ? quota / period : no_quota;
}

/* Returns the number of bytes in a file. Without a limit, it is missing or says max in version 2,
 * and in version 1 nearly 2^63. */
std::int64_t bytes_in(const std::string &file)
{
    std::ifstream stream(file);
    std::int64_t bytes = 0;
    return stream >> bytes && bytes >= 0 && bytes >> 62 == 0 ? bytes : no_limit;
}

} // namespace

double cpu_quota(const char *root) noexcept
try {
    double least = no_quota;
    for (const std::string &folder : folders_of(root, version_2)) {
        std::ifstream both(folder + "/cpu.max");
        least = std::min(least, quotient(both, both));
    }
    for (const std::string &folder : folders_of(root, "cpu")) {
        std::ifstream quota(folder + "/cpu.cfs_quota_us"), period(folder + "/cpu.cfs_period_us");
        least = std::min(least, quotient(quota, period));
    }
    return least;
} catch (const std::exception &) { /* no memory for the paths */
    return no_quota;
}

std::int64_t memory_limit(const char *root) noexcept
try {
    std::int64_t least = no_limit;
    for (const std::string &folder : folders_of(root, version_2))
        least = std::min(least, bytes_in(folder + "/memory.max"));
    for (const std::string &folder : folders_of(root, "memory"))
        least = std::min(least, bytes_in(folder + "/memory.limit_in_bytes"));
    return least;
} catch (const std::exception &) {
    return no_limit;
}

} // namespace polymask::inline POLYMASK_ABI::detail
