#ifndef CColor_H
#define CColor_H
#endif
