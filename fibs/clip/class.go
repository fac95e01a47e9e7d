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
func (AskVariable) Class() Class { return ClassLobby }

// Class implements [Command].
func (Back) Class() Class { return ClassLobby }

// Class implements [Command].
func (ShowSaved) Class() Class { return ClassLobby }

// Class implements [Command].
func (ShowSavedCount) Class() Class { return ClassLobby }

// Class implements [Command].
func (RawWho) Class() Class { return ClassLobby }

// Class implements [Command].
func (Oldmoves) Class() Class { return ClassLobby }

// Class implements [Command].
func (Watch) Class() Class { return ClassLobby }

// Class implements [Command].
func (Unwatch) Class() Class { return ClassLobby }

// Class implements [Command].
func (Address) Class() Class { return ClassLobby }

// Class implements [Command].
func (Time) Class() Class { return ClassLobby }

// Class implements [Command].
func (Bye) Class() Class { return ClassLobby }

// Class implements [Command].
func (Tell) Class() Class { return ClassChat }

// Class implements [Command].
func (Kibitz) Class() Class { return ClassChat }

// Class implements [Command].
func (Whisper) Class() Class { return ClassChat }
