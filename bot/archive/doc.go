// Package archive keeps every match: during play as a journal that survives any crash,
// afterwards as files that other programs read.
//
//	DIR/open/STEM.journal     a match in progress or interrupted
//	DIR/journal/STEM.journal  the journal of a filed match
//	DIR/STEM.sgf              the match for gnubg and other programs
//	DIR/STEM.fibs             the match as FIBS's oldmoves
//
// STEM is the day and time of the first line, both names and the length. It is made unique
// when the journal is created, so filing that a crash interrupts ends in the same files
// after a restart. All its steps are one change of package changes, which the next program
// finishes.
//
// A Journal belongs to one account. It writes the notes of package bot/table and syncs them
// (Sync) before the bot acts on them. It holds the server's own lines and the bot's
// commands. Reading these again rebuilds the sheet, and this is also how a finished match is
// filed. So a match interrupted by kill -9 ends in the same files as any other.
//
// The bot's thoughts on a decision come before the resulting command, and are in the .sgf at
// that decision: candidate plays and cube decisions of the bot only. analyse.Complete
// separates such a file from an analysed one. No match depends on these entries.
//
// The first line of a journal names its format, account, server and protocol: accounts of
// one name on two servers can share a folder. The files are locked by
// DIR/open/ACCOUNT@SERVER-HASH.lock while the Journal is open.
//
// When the disk is full or unavailable, entries wait in memory and the account stops
// playing. Retry writes them in order later, after cutting off an incomplete end of the file.
//
// Chat is written only if the account wants it (Account.Talk), within the bounds of
// notes.go, so a talkative opponent cannot fill the disk. A journal of more than MaxJournal
// bytes keeps only the lines of the game and records that with an entry.
package archive
