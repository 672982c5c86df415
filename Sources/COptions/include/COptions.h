#ifndef COptions_H
#define COptions_H
#endif
