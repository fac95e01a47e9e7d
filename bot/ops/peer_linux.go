package ops

import (
	"net"
	"syscall"
)

// peerOf returns the user and the process at the other end of a socket; ok is false for other
// connections.
func peerOf(c net.Conn) (uid, pid int, ok bool) {
	u, isUnix := c.(*net.UnixConn)
	if !isUnix {
		return 0, 0, false
	}
	raw, err := u.SyscallConn()
	if err != nil {
		return 0, 0, false
	}
	var cred *syscall.Ucred
	if raw.Control(func(fd uintptr) {
		cred, err = syscall.GetsockoptUcred(int(fd), syscall.SOL_SOCKET, syscall.SO_PEERCRED)
	}) != nil || err != nil {
		return 0, 0, false
	}
	return int(cred.Uid), int(cred.Pid), true
}
