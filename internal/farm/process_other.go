//go:build !unix

package farm

// Nice lowers the priority of the process where that is known how.
func Nice() {}
