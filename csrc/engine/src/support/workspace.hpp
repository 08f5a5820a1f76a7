/* What a thread needs to toggle bands. */
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "kernels/kernels.hpp"
#include "mask/edges.hpp"
#include "support/array.hpp"
#include "support/layout.hpp"

namespace polymask::detail
{

/* One thread's work memory: a band's bits, all zero between bands, and room to sort its edges. */
class Workspace
{
  public:
    Workspace() = default;
    Workspace(const Layout &layout, const EdgeTable &table)
        : bits_(std::make_unique<std::uint64_t[]>(layout.buffer_words()))
    {
        if (layout.ordered) {
            const std::size_t edges = table.size();
            indices_ = uninitialized<std::uint32_t>(2 * edges);
            strips_ = uninitialized<std::uint16_t>(edges);
            starts_ = uninitialized<std::uint32_t>(static_cast<std::size_t>(layout.strips()) + 1);
            order_ = {indices_.get(), indices_.get() + edges, strips_.get(), starts_.get()};
        }
    }
    std::uint64_t *bits() const noexcept { return bits_.get(); }
    const StripOrder &order() const noexcept { return order_; }

  private:
    Array<std::uint64_t> bits_;
    Array<std::uint32_t> indices_, starts_;
    Array<std::uint16_t> strips_;
    StripOrder order_ = {};
};

} // namespace polymask::detail
