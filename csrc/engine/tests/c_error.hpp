/* The message of a function for C. */
#pragma once

#include <cstring>
#include <string>

#include <gtest/gtest.h>

#include "polymask/polymask.h"

namespace polymask::test
{

/* The last argument of a function; memory after it must stay unchanged. */
class Error
{
  public:
    Error() { std::memset(text_, '?', sizeof text_); }
    operator char *() { return text_; }
    std::string text() const
    {
        EXPECT_NE(std::memchr(text_, 0, POLYMASK_ERROR_SIZE), nullptr);
        EXPECT_EQ(text_[POLYMASK_ERROR_SIZE], '?');
        return text_;
    }

  private:
    char text_[POLYMASK_ERROR_SIZE + 1];
};

} // namespace polymask::test
