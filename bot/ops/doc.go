// Package ops lets an operator see how the bot is doing: metrics for
// Prometheus, health and readiness for supervisors, and the status that
// `fibsbot status` prints.
//
// Metrics are few and named for questions: are we connected, when did the server
// last speak, how did matches end, how long do decisions take, how long is the
// send queue, why did we reconnect, did the last reload work. They live in a
// registry of their own. Server serves them on a loopback address and, always,
// the status on a socket file that only the operator can open.
//
// The dashboard is a page with the same status, live boards and what the archive
// knows. It only reads: no method of it changes anything. Orders come over the status socket
// alone, from `fibsbot ctl` or the pages of `fibsbot web`.
//
// Part of the program, not of the library: docs/library.md lists what others may import.
package ops
