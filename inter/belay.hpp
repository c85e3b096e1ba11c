// belay: irregular work, balanced over the threads and ranks of a cluster. The one header that
// a program needs.
#pragma once

#include "belay/core/errors.hpp"
#include "belay/core/initial_work.hpp"
#include "belay/core/packing.hpp"
#include "belay/core/parameters.hpp"
#include "belay/core/problem.hpp"
#include "belay/core/quantum.hpp"
#include "belay/core/runnable.hpp"
#include "belay/core/share.hpp"
#include "belay/core/statistics.hpp"
#include "belay/core/task_problem.hpp"
#include "belay/inter/runtime/run.hpp"
#include "belay/inter/runtime/session.hpp"
