// Release makes what is published of a version: static binaries for eight platforms,
// archives of them, .deb and .rpm packages, the browser edition for web hosts, a list of what
// is in them (SBOM), the licences of all that, shell completions, man pages, and checksums. From the
// repository's root:
//
//	go run ./internal/release -version v1.2.3 -out dist
//
// Two runs on the same sources with the same Go are equal byte for byte, in whatever
// folder and at whatever time: no path, no user, no clock and no build identity gets into
// a file. All times are that of the last commit, or SOURCE_DATE_EPOCH. -check builds one
// platform from a copy of the sources in another folder as well, and compares.
//
// A dependency whose licence is not known to be permissive ends the run.
package main
