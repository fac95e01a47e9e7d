// Package archive keeps every match: while it is played as a journal that
// survives any crash, afterwards as files that other programs load.
//
//	DIR/open/STEM.journal     a match being played, or interrupted
//	DIR/journal/STEM.journal  the journal of a match that is filed
//	DIR/STEM.sgf              the match for gnubg and others
//	DIR/STEM.fibs             the same as FIBS's oldmoves print it
//
// STEM is the day and time of the first line, both names and the length, made
// unique when the journal is created; so a crash between two steps of filing
// ends, after a restart, in the same files and not in a second set.
//
// A Journal belongs to one account. It takes the notes of package bot/table,
// writes them down, and brings them to the disk before the bot acts on them
// (Sync). The journal holds the server's own lines and the bot's commands, not
// an interpretation: a sheet is rebuilt by reading them again, which is also how
// a finished match is filed. There is one way from lines to a match, so a match
// that was interrupted by kill -9 ends in the same files as one that was not.
//
// What the bot thought of a decision stands before the command that it led to, and in the
// .sgf at that decision: candidates of its plays, its cube decisions, nothing of the
// opponent's (analyse.Complete tells such a file from one that was analysed). No match
// depends on these entries.
//
// A Journal knows its account, its server and the protocol spoken there, which the
// first line of each file names: two accounts of one name on two servers share a
// folder and not a match. Its files are locked (DIR/open/ACCOUNT@SERVER-HASH.lock)
// while it is open.
//
// When the disk is full, or out of reach, what cannot be written waits in memory;
// the account stops playing, and Retry writes it, in order, when that works again.
// A torn end of a file is cut off first.
//
// Chat is written down only where the account is told to (Account.Talk), and no more of it
// than the bounds in said.go, nor is what is repeated, so a talkative opponent cannot fill
// the disk. A journal that grows beyond MaxJournal bytes keeps the lines of
// the game only, and says so.
package archive
