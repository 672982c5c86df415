#include "CColor.h"
