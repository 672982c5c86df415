#ifndef CImageCodecs_H
#define CImageCodecs_H
#endif
