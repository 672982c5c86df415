#ifndef CCrypto_H
#define CCrypto_H
#endif
