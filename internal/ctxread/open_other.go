//go:build !unix

package ctxread

const nonBlock = 0
