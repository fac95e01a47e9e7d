//go:build !js

package fibs

import (
	"strings"

	"fibsbot/bot/protocol"
	"fibsbot/bot/sheet"
	"fibsbot/fibs/clip"
)

// maxKept bounds a line of the journal; a board line has about 200 bytes.
const maxKept = 2000

// kinds are the kinds of lines that mean the same here and there.
var kinds = map[clip.Kind]protocol.Kind{
	clip.Unknown: protocol.Unknown, clip.Blank: protocol.Noise,
	clip.PlayerLine: protocol.UserInfo, clip.LogsOut: protocol.LogsOut,
	clip.SavedHeader: protocol.SavedBegins, clip.SavedNone: protocol.SavedBegins, clip.SavedRow: protocol.SavedMatch,
	clip.SavedCount: protocol.SavedCount, clip.Invites: protocol.Invites, clip.InvitesResume: protocol.InvitesResume,
	clip.WarnsSaved: protocol.WarnsSaved, clip.YouInvite: protocol.Invited, clip.YouInviteResume: protocol.InvitedResume,
	clip.NoSavedMatch: protocol.NoSavedMatch, clip.NoSuchPlayer: protocol.NoSuchPlayer,
	clip.RefusingGames: protocol.InviteFailed, clip.BusyPlaying: protocol.InviteFailed, clip.BadLength: protocol.InviteFailed,
	clip.NotExperienced: protocol.InviteFailed, clip.InviteRefused: protocol.InviteFailed, clip.DidntInvite: protocol.InviteFailed,
	clip.JoinWho: protocol.InviteFailed, clip.SavedCorrupt: protocol.InviteFailed,
	clip.MatchBegins: protocol.MatchBegins, clip.MatchResumes: protocol.MatchResumes, clip.YouArePlaying: protocol.MatchGoesOn,
	clip.NotPlayingYou: protocol.NoMatch, clip.GameSaved: protocol.MatchSaved,
	clip.ResumeLength: protocol.MatchLength, clip.ResumePoints: protocol.PointsHeld, clip.GameBegins: protocol.GameBegins,
	clip.OpeningRoll: protocol.OpeningRoll, clip.FirstMove: protocol.FirstMove, clip.RollOrDouble: protocol.MayRoll,
	clip.Rolls: protocol.Rolls, clip.Moves: protocol.Moves, clip.OnlyMove: protocol.OnlyMove, clip.BearsOff: protocol.BearsOff,
	clip.CantMove: protocol.CannotMove, clip.Doubles: protocol.Doubles, clip.Redoubles: protocol.Redoubles, clip.Takes: protocol.Takes,
	clip.OffersResign: protocol.OffersResign, clip.RejectsResign: protocol.RefusesResign, clip.ResignPending: protocol.OfferStands,
	clip.AlreadyDidThat: protocol.AlreadyDone, clip.AnswerResign: protocol.AnswerResign, clip.NothingToAnswer: protocol.NothingToAnswer,
	clip.GameOver: protocol.GameOver, clip.Score: protocol.Score, clip.MatchOver: protocol.MatchOver,
	clip.JoinNext: protocol.JoinNext, clip.WaitJoin: protocol.WaitJoin, clip.BoardLine: protocol.BoardLine, clip.BadBoard: protocol.BadBoard,
	clip.CantDouble: protocol.NoDouble, clip.CrawfordNoDouble: protocol.NoDoubleCrawford,
	clip.MoveRefused: protocol.PlayRefused, clip.NotYourMove: protocol.MoveRefused, clip.RollFirst: protocol.MoveRefused,
	clip.AlreadyRolled: protocol.Refused, clip.NotYourRoll: protocol.Refused, clip.NotYourTurn: protocol.Refused,
	clip.DoublePending: protocol.Refused, clip.WaitForMove: protocol.Refused, clip.GameIsOver: protocol.Refused,
	clip.OldScore: protocol.ListBegins, clip.OldPlayers: protocol.ListPlayers, clip.OldMove: protocol.ListMove,
	clip.OldDoubles: protocol.ListDouble, clip.OldAccepts: protocol.ListAccept, clip.OldRejects: protocol.ListReject,
	clip.OldResigns: protocol.ListResign, clip.OldWins: protocol.ListWon, clip.OldOther: protocol.ListOther,
	clip.NotImplemented: protocol.ListRefused, clip.UnknownCommand: protocol.ListRefused,
	clip.Says: protocol.Says, clip.Kibitzes: protocol.Kibitzes, clip.Whispers: protocol.Whispers, clip.Shouts: protocol.Shouts,
	clip.YouKibitz: protocol.Remarked, clip.YouWhisper: protocol.Remarked, clip.ChatRefused: protocol.TalkRefused, clip.NotWatching: protocol.TalkRefused,
	clip.YouWatch: protocol.YouWatch, clip.YouUnwatch: protocol.YouUnwatch, clip.WatchRefused: protocol.WatchRefused,
	clip.Banned: protocol.ShutOut, clip.CantWatch: protocol.CannotWatch,
	clip.WatchIdle: protocol.PlaysNothing, clip.NotPlaying: protocol.PlaysNothing,
	clip.ReportStart: protocol.OthersBegin, clip.ReportResume: protocol.OthersResume,
	clip.Attention: protocol.Ending, clip.SecondLogin: protocol.Ending, clip.YouTimedOut: protocol.Ending,
}

// idle holds the kinds of lines that do not concern our matches. Chat is unbounded and does
// not belong in a journal.
var idle = map[clip.Kind]bool{
	clip.Blank: true, clip.Unknown: true, clip.ClipOther: true, clip.Says: true, clip.Shouts: true, clip.Whispers: true,
	clip.Kibitzes: true, clip.YouSay: true, clip.YouShout: true, clip.YouWhisper: true, clip.YouKibitz: true, clip.Alerts: true,
	clip.Heard: true, clip.LogsIn: true, clip.LogsOut: true, clip.PlayersEnd: true, clip.Mail: true, clip.MotdBegin: true,
	clip.MotdLine: true, clip.MotdEnd: true, clip.WatchesYou: true, clip.Banner: true, clip.MailDelivered: true, clip.MailSaved: true,
	clip.Invites: true, clip.InvitesResume: true, clip.InviteHint: true, clip.WarnsSaved: true, clip.IsAway: true,
}

// Event turns what the server said into what it means to the bot.
func Event(ev *clip.Event) protocol.Event {
	if ev == nil {
		return protocol.Event{}
	}
	out := protocol.Event{
		Kind: kinds[ev.Kind], Raw: ev.Raw, Keep: !idle[ev.Kind] && len(ev.Raw) <= maxKept,
		Name: ev.Name, Other: ev.Other, Text: ev.Text, Length: lengthOf(ev.Length), Points: ev.Points, Cube: ev.Cube, Count: ev.Count,
		Score: ev.Score, Dice: diceOf(ev.Dice), How: hows[ev.Result], Left: leavingOf(ev.Cause), First: ev.Side == 'X',
		Corrupt: ev.Kind == clip.SavedCorrupt, MayBeaver: ev.Asks && ev.Redouble,
	}
	if ev.Steps.N > 0 {
		out.Steps = stepsOf(ev.Steps)
	}
	switch ev.Kind {
	case clip.PlayerLine:
		out.User = userOf(ev.Player)
	case clip.BoardLine:
		out.Keep = false
		if ev.Board == nil {
			break
		}
		out.Keep, out.Other = ev.Board.Own(), ev.Board.Opponent
		if b, err := BoardOf(*ev.Board); err == nil {
			out.Board = &b
		}
	case clip.OldOther:
		if strings.HasPrefix(ev.Text, "redoubles") {
			out.Kind = protocol.ListDouble // a beaver
		}
	case clip.InvitesResume, clip.MatchResumes, clip.ReportResume:
		out.Length = -1 // the length of the whole match, or of the rest
	case clip.Invites, clip.WarnsSaved, clip.MatchBegins, clip.ResumeLength, clip.SavedRow, clip.Score, clip.MatchOver, clip.ReportStart:
		if ev.Length == 0 {
			out.Length = -1 // "a 0 point match" is neither unlimited nor possible
		}
	case clip.NoSavedMatch:
		out.First = !strings.Contains(ev.Raw, "match length") // that answers an invitation
	case clip.Banned:
		if ev.Other == "you" {
			out.Other = protocol.You
		}
	case clip.WatchRefused:
		if ev.Name != "" {
			break
		}
		if name, _, more := strings.Cut(ev.Text, " "); !more || strings.Contains(ev.Text, " doesn't want you to ") {
			out.Name = name // else it is about ourselves
		}
	case clip.Attention:
		out.Ends, out.Text = protocol.CauseShutdown, "the server is going to "+ev.Text
	case clip.SecondLogin:
		out.Ends, out.Text = protocol.CauseKicked, "the account logged in elsewhere"
	case clip.YouTimedOut:
		out.Ends, out.Text = protocol.CauseIdle, "we were idle too long"
	case clip.MoveRefused, clip.NotYourMove, clip.RollFirst, clip.AlreadyRolled, clip.NotYourRoll, clip.NotYourTurn,
		clip.DoublePending, clip.ResignPending, clip.NothingToAnswer, clip.WaitForMove, clip.GameIsOver:
		out.Text = ev.Kind.String()
	}
	return out
}

func userOf(p *clip.Player) *protocol.User {
	if p == nil {
		return nil
	}
	return &protocol.User{Name: p.Name, Opponent: p.Opponent, Ready: p.Ready, Away: p.Away, Rating: p.Rating, Client: p.Client,
		Experience: p.Experience, Idle: p.Idle}
}

// hows are the ways to win a game, but for bearing off.
var hows = map[clip.Result]sheet.How{clip.ByDrop: sheet.ByDrop, clip.ByResignation: sheet.ByResignation}

func leavingOf(c clip.Cause) protocol.Leaving {
	switch c {
	case clip.CauseNone:
		return protocol.LeftUnknown
	case clip.CauseLeft:
		return protocol.LeftMatch
	case clip.CauseLogout:
		return protocol.LeftServer
	}
	return protocol.LeftOtherwise
}
