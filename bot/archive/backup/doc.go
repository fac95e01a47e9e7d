// Package backup writes an archive's folder to one file, also while bots write to the
// archive, and restores the folder from it.
//
// A backup is a zip file. Its last member, ManifestName, lists the others with size and
// SHA-256. The comment of the zip file ends with the SHA-256 of all bytes before it, so a
// single changed or missing byte is found before anything is restored.
//
// A backup holds match files, journals, the state of opponents, the trash and the rows of
// pruned matches. A journal of a match in progress is copied up to its last whole line. The
// index, which can be rebuilt, locks and temporary files are left out.
//
// A match that is filed during the backup is in it either as running or as filed, never
// both or neither: Write lists the folder, copies new files, reads the running journals
// and lists the folder again, until two listings are equal.
//
// Part of the program, not of the library: docs/library.md lists what others may import.
package backup
