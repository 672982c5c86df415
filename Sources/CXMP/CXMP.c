#include "CXMP.h"
