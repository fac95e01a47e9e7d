package clip

// Class implements [Command].
func (Roll) Class() Class { return ClassGame }

// Class implements [Command].
func (Move) Class() Class { return ClassGame }

// Class implements [Command].
func (Double) Class() Class { return ClassGame }

// Class implements [Command].
func (Redouble) Class() Class { return ClassGame }

// Class implements [Command].
func (Accept) Class() Class { return ClassGame }

// Class implements [Command].
func (Reject) Class() Class { return ClassGame }

// Class implements [Command].
func (Resign) Class() Class { return ClassGame }

// Class implements [Command].
func (Join) Class() Class { return ClassGame }

// Class implements [Command].
func (Leave) Class() Class { return ClassGame }

// Class implements [Command].
func (AskBoard) Class() Class { return ClassGame }

// Class implements [Command].
func (Invite) Class() Class { return ClassLobby }

// Class implements [Command].
func (Toggle) Class() Class { return ClassLobby }

// Class implements [Command].
func (Set) Class() Class { return ClassLobby }

// Class implements [Command].
func (Save) Class() Class { return ClassLobby }

// Class implements [Command].
func (ShowSaved) Class() Class { return ClassLobby }

// Class implements [Command].
func (ShowSavedCount) Class() Class { return ClassLobby }

// Class implements [Command].
func (RawWho) Class() Class { return ClassLobby }

// Class implements [Command].
func (Who) Class() Class { return ClassLobby }

// Class implements [Command].
func (Whois) Class() Class { return ClassLobby }

// Class implements [Command].
func (RatingOf) Class() Class { return ClassLobby }

// Class implements [Command].
func (Oldmoves) Class() Class { return ClassLobby }

// Class implements [Command].
func (Oldboard) Class() Class { return ClassLobby }

// Class implements [Command].
func (Waitfor) Class() Class { return ClassLobby }

// Class implements [Command].
func (Watch) Class() Class { return ClassLobby }

// Class implements [Command].
func (Unwatch) Class() Class { return ClassLobby }

// Class implements [Command].
func (Look) Class() Class { return ClassLobby }

// Class implements [Command].
func (Address) Class() Class { return ClassLobby }

// Class implements [Command].
func (Time) Class() Class { return ClassLobby }

// Class implements [Command].
func (Away) Class() Class { return ClassLobby }

// Class implements [Command].
func (Back) Class() Class { return ClassLobby }

// Class implements [Command].
func (Gag) Class() Class { return ClassLobby }

// Class implements [Command].
func (Blind) Class() Class { return ClassLobby }

// Class implements [Command].
func (Motd) Class() Class { return ClassLobby }

// Class implements [Command].
func (Bye) Class() Class { return ClassLobby }

// Class implements [Command].
func (Tell) Class() Class { return ClassChat }

// Class implements [Command].
func (TellPrefix) Class() Class { return ClassChat }

// Class implements [Command].
func (Say) Class() Class { return ClassChat }

// Class implements [Command].
func (Kibitz) Class() Class { return ClassChat }

// Class implements [Command].
func (Whisper) Class() Class { return ClassChat }

// Class implements [Command].
func (Shout) Class() Class { return ClassChat }

// Class implements [Command].
func (Message) Class() Class { return ClassChat }
