// Package chaos is a TCP proxy that damages connections on purpose.
//
// It sits between clients and a server, cuts the byte stream of each
// direction into lines and then, by chance, holds lines back, sends them
// twice, cuts them in half, puts garbage between them, splits or joins
// packets, or breaks the connection. What happens to a connection depends on
// the seed, the number of the connection and the lines that pass, on nothing
// else, so a fault that was found can be found again.
//
// The proxy knows no protocol but line ends. It is used by soak tests and by
// `fibsbot demo --chaos`.
//
// Part of the program, not of the library: docs/library.md lists what others may import.
package chaos
