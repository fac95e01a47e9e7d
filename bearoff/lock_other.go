//go:build !unix

package bearoff

// lockFile does nothing where the system has no advisory locks.
func lockFile(string) (unlock func(), err error) { return func() {}, nil }
