#define _GNU_SOURCE
#include "CFiles.h"

#include <errno.h>
#include <stdio.h>
#include <stdint.h>
#include <sys/vfs.h>

int cfiles_rename_noreplace(
    int old_folder, const char *old_name, int new_folder, const char *new_name) {
  return renameat2(old_folder, old_name, new_folder, new_name, RENAME_NOREPLACE) == 0 ? 0 : errno;
}

int cfiles_rename_exchange(
    int first_folder, const char *first_name, int second_folder, const char *second_name) {
  return renameat2(first_folder, first_name, second_folder, second_name, RENAME_EXCHANGE) == 0
             ? 0 : errno;
}

const char *cfiles_network_filesystem(int descriptor) {
  struct statfs status;
  if (fstatfs(descriptor, &status) != 0) return NULL;
  // The magic numbers of statfs(2).
  switch ((uint32_t)status.f_type) {
    case 0x00006969: return "NFS";
    case 0x0000517b: return "SMB";
    case 0xff534d42: return "CIFS";
    case 0xfe534d42: return "SMB2";
    case 0x01021997: return "9P";
    case 0x00c36400: return "Ceph";
    case 0x5346414f: return "AFS";
    case 0x73757245: return "Coda";
    case 0x0000564c: return "NCP";
    default: return NULL;
  }
}
