// Package version holds the version of the programs.
package version

import "runtime/debug"

// version is set by release builds: -ldflags "-X fibsbot/internal/version.version=v1.2.3".
var version = "dev"

// Number returns the version of a release, such as "v1.2.3", or "dev" with the beginning of the
// revision that was built.
func Number() string {
	if revision, _ := Revision(); version == "dev" && len(revision) >= 12 {
		return version + "-" + revision[:12]
	}
	return version
}

// Set changes the version, for tests with programs of different versions. Call it before any use.
func Set(v string) { version = v }

// Revision returns the revision that was built, or "" if unknown, and whether files differed from
// it.
func Revision() (revision string, modified bool) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "", false
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			revision = s.Value
		case "vcs.modified":
			modified = s.Value == "true"
		}
	}
	return revision, modified
}
