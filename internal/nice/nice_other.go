//go:build !unix

package nice

func lower() {}
