#ifndef CFILES_H
#define CFILES_H

// The system calls of Linux that Swift's Glibc module does not show (they need _GNU_SOURCE or a
// header that it leaves out). Each returns 0, or an errno value.

/// renameat2 with RENAME_NOREPLACE: EEXIST where `new_name` is there already.
int cfiles_rename_noreplace(
    int old_folder, const char *_Nonnull old_name, int new_folder, const char *_Nonnull new_name);

/// renameat2 with RENAME_EXCHANGE: the two names trade places in one step.
int cfiles_rename_exchange(
    int first_folder, const char *_Nonnull first_name, int second_folder,
    const char *_Nonnull second_name);

/// The name of the network file system that holds an open file, or NULL where it is a local one.
const char *_Nullable cfiles_network_filesystem(int descriptor);

#endif
