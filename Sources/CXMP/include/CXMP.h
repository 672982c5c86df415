#ifndef CXMP_H
#define CXMP_H
#endif
