// Package yield lets other work of a browser run during a long computation. A program in a
// browser has one thread: requests, their cancellation and storage wait while it computes.
package yield
