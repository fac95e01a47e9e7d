//go:build !unix

package config

import "io/fs"

// writable always returns nil: here permissions are not simple bits, so only creating a file
// shows whether it is possible.
func writable(string) error { return nil }

// owned reports whether a file belongs to the user of this process: modes say nothing here.
func owned(fs.FileInfo) bool { return false }
