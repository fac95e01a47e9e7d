// Package accountview keeps what web pages show of one account: the board with its last
// moves, the opponent, invitations and their answers, chat and troubles.
//
// The account's goroutine reports what happens and never waits; pages ask for a snapshot
// from any goroutine. Everything a peer can make grow is bounded. Chances are computed only
// when a page asks for them.
package accountview
