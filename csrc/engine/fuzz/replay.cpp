/* Runs a fuzz target on files and on all files in folders, without a fuzzer, so with any compiler.
 * Prints the name of each file before the target runs, in case the target ends the process. */

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size);

namespace
{

void replay(const std::filesystem::path &path)
{
    std::ifstream file(path, std::ios::binary);
    const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
    std::fprintf(stderr, "%s, %zu bytes\n", path.string().c_str(), bytes.size());
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t *>(bytes.data()), bytes.size());
}

} // namespace

int main(int count, char **arguments)
{
    std::vector<std::filesystem::path> files;
    for (int i = 1; i < count; ++i) {
        if (std::filesystem::is_directory(arguments[i]))
            for (const auto &entry : std::filesystem::directory_iterator(arguments[i]))
                files.push_back(entry.path());
        else
            files.emplace_back(arguments[i]);
    }
    std::sort(files.begin(), files.end());
    for (const auto &file : files)
        replay(file);
    if (files.empty())
        std::fprintf(stderr, "no files\n");
    return files.empty();
}
