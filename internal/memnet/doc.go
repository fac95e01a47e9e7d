// Package memnet is a network in memory for tests: listeners, dialling, and
// connections that keep what was written until it is read, arrive after a
// latency, honour deadlines, and break as TCP connections do (refused, reset,
// end of stream). Nothing in it is a system call and every wait is on a channel
// or a timer, so it runs inside the bubbles of testing/synctest, where a day of
// traffic passes as fast as it can be handled; a socket would stop their clock.
package memnet
