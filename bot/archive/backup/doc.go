// Package backup writes an archive's folder into one file while bots go on writing the
// archive, and makes a folder of it again.
//
// A backup is a zip file, which any system opens without this program. Its last member,
// ManifestName, names the others with size and SHA-256; the comment of the zip file ends
// in the SHA-256 of all that stands before it, so that a single changed or missing byte
// is found before anything is restored.
//
// What is in it: match files, journals, those of running matches up to their last whole
// line, what was remembered of opponents, what was pruned. What is not: the index, which
// is made from the rest, locks, and temporary files.
//
// Consistent means: a match is in the backup as running or as filed and never as both or
// neither, though it may be filed while the backup is written. The folder is listed, what
// is new is copied, the running journals are taken, and the folder is listed again, until
// two listings are the same: no match was filed between them.
//
// Part of the program, not of the library: docs/library.md lists what others may import.
package backup
