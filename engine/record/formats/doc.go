// Package formats lists the formats of match files, each with its name, its extension, how it
// is recognised, read and written, and what it cannot hold. A format is added by a package
// beside this one and a line in All; package detect, convert, the archive and the API read
// that list.
package formats
