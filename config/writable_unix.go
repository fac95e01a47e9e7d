//go:build unix

package config

import "golang.org/x/sys/unix"

// writable tells why files cannot be made in a folder, nil when they can.
func writable(dir string) error { return unix.Access(dir, unix.W_OK|unix.X_OK) }
