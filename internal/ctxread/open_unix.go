//go:build unix

package ctxread

import "syscall"

const nonBlock = syscall.O_NONBLOCK
