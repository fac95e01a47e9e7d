// Package version says which version of the programs this is.
package version

import "runtime/debug"

// version is set by release builds: -ldflags "-X fibsbot/internal/version.version=v1.2.3".
var version = "dev"

// Number is the version of a release, such as "v1.2.3", or "dev" with the beginning of the
// revision that was built.
func Number() string {
	if revision, _ := Revision(); version == "dev" && len(revision) >= 12 {
		return version + "-" + revision[:12]
	}
	return version
}

// Set makes the program another version, for tests of programs that differ in it. It must
// come before any use.
func Set(v string) { version = v }

// Revision is the revision that was built and whether files differed from it; "" where the
// build does not say.
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
