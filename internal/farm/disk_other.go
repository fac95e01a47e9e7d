//go:build !linux && !darwin && !freebsd

package farm

// diskFree is not known here: the bound of the store alone holds.
func diskFree(string) int64 { return -1 }
