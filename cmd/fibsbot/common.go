package main

import (
	"io"
	"net"

	"fibsbot/cmd/internal/cmdline"
)

func complain(w io.Writer, err error) { cmdline.Complain(w, "fibsbot", err) }

// listening is the address of a listener with the host as the user wrote it: Go shows
// 0.0.0.0 as [::].
func listening(named string, a net.Addr) string {
	host, _, err := net.SplitHostPort(named)
	_, port, err2 := net.SplitHostPort(a.String())
	if err != nil || err2 != nil || host == "" {
		return a.String()
	}
	return net.JoinHostPort(host, port)
}
