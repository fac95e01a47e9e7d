// Package desk keeps what an account has before it, for people who look: the board with
// its last moves, who sits opposite, who has asked for a match and what he was answered,
// what was said and what went wrong.
//
// The account's goroutine tells a Desk what happens and never waits; whoever shows it
// asks for a View from any goroutine. Everything a peer can make grow is bounded, and
// nothing is worked out before somebody looks: a bot that nobody watches pays for a few
// copies.
package desk
