// The kernel for x86 processors with SHA instructions.
#pragma once

#include "apps/uts/sha1.hpp"

namespace apps {

// nullptr where the processor lacks the instructions, or the program was built for another
// kind.
[[nodiscard]] HashChildren hash_children_sha_ni() noexcept;

}  // namespace apps
