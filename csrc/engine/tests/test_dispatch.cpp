/* The choice of the code can be queried and forced. */

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

#include <gtest/gtest.h>

#include "polygons.hpp"
#include "polymask/polymask.h"
#include "support/processor.hpp"

namespace polymask::test
{

namespace
{

/* Sets a variable; an empty value removes it. */
void set_silently(const char *key, const char *value)
{
#ifdef _WIN32
    _putenv_s(key, value);
#else
    if (*value == '\0')
        unsetenv(key);
    else
        setenv(key, value, 1);
#endif
}

void set_environment(const char *key, const char *value)
{
    set_silently(key, value);
    read_environment();
}

/* Sets an environment variable for a scope. */
class Environ
{
  public:
    Environ(const char *key, const char *value) : key_(key)
    {
        if (const char *before = std::getenv(key))
            before_ = before;
        set_environment(key, value);
    }
    ~Environ() { set_environment(key_, before_.c_str()); }

  private:
    const char *key_;
    std::string before_;
};

const std::vector<double> triangle = {1, 1, 8, 1, 8, 8};

std::string failure_to_choose(const Options &options = {})
{
    try {
        static_cast<void>(
            choose({triangle}, options.grid(10, 10), options.output(), options.work()));
    } catch (const std::runtime_error &error) {
        return error.what();
    }
    return "";
}

} // namespace

TEST(Version, IsThatOfTheHeaders)
{
    EXPECT_STREQ(version(), POLYMASK_VERSION);
    const auto part = [](int number) { return std::to_string(number); };
    EXPECT_EQ(version(), part(POLYMASK_VERSION_MAJOR) + "." + part(POLYMASK_VERSION_MINOR) + "." +
                             part(POLYMASK_VERSION_PATCH));
}

TEST(Dispatch, PlainIsAlwaysThere)
{
    const auto sets = available_instruction_sets();
    ASSERT_FALSE(sets.empty());
    EXPECT_EQ(sets.back(), InstructionSet::plain);
}

TEST(Dispatch, OptionForces)
{
    for (const InstructionSet set : available_instruction_sets()) {
        Options options;
        options.instruction_set = set;
        EXPECT_EQ(choose({triangle}, options.grid(10, 10), options.output(), options.work())
                      .instruction_set,
                  set);
    }
}

TEST(Dispatch, EnvironmentForces)
{
    for (const InstructionSet set : available_instruction_sets()) {
        const Environ forced("POLYMASK_ISA", name(set));
        EXPECT_EQ(active_instruction_set(), set);
        Options options;
        options.instruction_set = InstructionSet::plain; /* an option has precedence */
        EXPECT_EQ(choose({triangle}, options.grid(10, 10), options.output(), options.work())
                      .instruction_set,
                  InstructionSet::plain);
    }
}

/* Other threads of a program may be changing variables during a call. */
TEST(Dispatch, EnvironmentIsReadWhenAskedAndNotInCalls)
{
    const Environ forced("POLYMASK_ISA", "plain");
    const Environ threads("OMP_NUM_THREADS", "1");
    ASSERT_EQ(active_instruction_set(), InstructionSet::plain);
    {
        Environ nonsense("POLYMASK_ISA", "sse9");
        Environ more("OMP_NUM_THREADS", "2");
        EXPECT_EQ(most_threads(), 2);
        set_silently("POLYMASK_ISA", "plain");
        set_silently("OMP_NUM_THREADS", "1");
        EXPECT_THROW(static_cast<void>(active_instruction_set()), std::runtime_error);
        EXPECT_EQ(most_threads(), 2);
        polymask_read_environment();
        EXPECT_EQ(active_instruction_set(), InstructionSet::plain);
        EXPECT_EQ(most_threads(), 1);
    }
    const Environ longer("POLYMASK_ISA", std::string(1000, 'x').c_str());
    EXPECT_EQ(failure_to_choose(), "POLYMASK_ISA=" + std::string(63, 'x') +
                                       " is not automatic, plain, neon, avx2 or avx512");
}

TEST(Dispatch, UnknownOrMissingIsAnError)
{
    {
        const Environ forced("POLYMASK_ISA", "sse9");
        EXPECT_EQ(failure_to_choose(),
                  "POLYMASK_ISA=sse9 is not automatic, plain, neon, avx2 or avx512");
        Bytes out(100);
        EXPECT_THROW(fill_mask({triangle}, {{10, 10}}, out), std::runtime_error);
        EXPECT_EQ(fill_mask_unchecked({triangle}, {{10, 10}}, out.data()), Status::unavailable);
    }
    for (const InstructionSet set : {InstructionSet::neon, InstructionSet::avx512}) {
        const auto sets = available_instruction_sets();
        if (std::find(sets.begin(), sets.end(), set) != sets.end())
            continue; /* no processor has both */
        const Environ forced("POLYMASK_ISA", name(set));
        const std::string text = failure_to_choose();
        EXPECT_EQ(text.rfind("POLYMASK_ISA=" + std::string(name(set)) + " is not available: ", 0),
                  0U);
        for (const InstructionSet there : sets)
            EXPECT_NE(text.find(name(there)), std::string::npos) << text;
    }
    Options options;
    options.instruction_set = static_cast<InstructionSet>(77);
    EXPECT_EQ(failure_to_choose(options).rfind("instruction set unknown is not available: ", 0),
              0U);
    const Environ forced("POLYMASK_STORES", "slow");
    EXPECT_EQ(failure_to_choose(),
              "POLYMASK_STORES=slow is not automatic, cached, prefetched or streaming");
}

/* The option of a call overrides OMP_NUM_THREADS. */
TEST(Dispatch, ThreadsOfACallAndOfTheEnvironment)
{
    const Environ forced("OMP_NUM_THREADS", "1");
    EXPECT_EQ(most_threads(2), 2);
    EXPECT_EQ(most_threads(0), 1); /* even if there are more processors */
}

TEST(Dispatch, SmallMasksTakeOneThread)
{
    EXPECT_EQ(choose({triangle}, {{100, 100}}).threads, 1);
    EXPECT_EQ(choose({triangle}, {{1024, 1024}}).threads, 1);
    Options options;
    options.threads = 3;
    EXPECT_EQ(choose({triangle}, options.grid(100, 100), options.output(), options.work()).threads,
              3);
}

TEST(Dispatch, SmallMasksAreStoredThroughTheCaches)
{
    const Environ forced("POLYMASK_STORES", "automatic");
    EXPECT_EQ(choose({triangle}, {{100, 100}}).stores, Stores::cached);
}

TEST(Dispatch, PlainCodeHasNoStreamingStores)
{
    Options options;
    options.instruction_set = InstructionSet::plain;
    options.stores = Stores::streaming;
    EXPECT_EQ(choose({triangle}, options.grid(100, 100), options.output(), options.work()).stores,
              Stores::cached);
    options.stores = Stores::prefetched;
    EXPECT_EQ(choose({triangle}, options.grid(100, 100), options.output(), options.work()).stores,
              detail::has_prefetch ? Stores::prefetched : Stores::cached);
}

TEST(Dispatch, DescriptionNamesWhatWasChosen)
{
    EXPECT_EQ(describe({InstructionSet::avx2, Stores::streaming, 2}),
              "avx2, streaming stores, 2 threads");
    EXPECT_EQ(describe({InstructionSet::plain, Stores::cached, 1}),
              "plain, cached stores, 1 thread");
}

/* ctest runs this once for each value of POLYMASK_ISA. */
TEST(Environment, IsObeyed)
{
    const char *value = std::getenv("POLYMASK_ISA");
    if (value == nullptr)
        GTEST_SKIP() << "POLYMASK_ISA is not set";
    for (const InstructionSet set : available_instruction_sets()) {
        if (std::string(name(set)) == value) {
            EXPECT_EQ(active_instruction_set(), set);
            Random random(61);
            const auto vertices = polygon(random, Kind::reals, 30, 90, 100);
            EXPECT_EQ(filled({vertices}, 90, 100), rule_mask({vertices}, 90, 100));
            return;
        }
    }
    EXPECT_THROW(static_cast<void>(active_instruction_set()), std::runtime_error);
}

} // namespace polymask::test
