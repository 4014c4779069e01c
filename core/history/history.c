#include "core/history/history.h"
