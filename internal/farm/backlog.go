package farm

import (
	"time"

	"fibsbot/internal/shard"
)

// backlog is what is known of a job's pieces and their results. Crew.mu guards it.
type backlog struct {
	held map[string]outcome
	open map[string]sent // sent and without a result
	// toRead is how many results from earlier runs are still to come. Nothing is sent before.
	toRead   int
	resumed  bool            // there were some
	accepted map[uint64]bool // pieces with a result, by a hash of their keys
	window   int             // how many pieces may be open
	done     int
	known    int // sent, or done in an earlier run
	expect   int // pieces of this job in all, or 0 if unknown
	seconds  float64
}

func newBacklog() backlog {
	return backlog{held: map[string]outcome{}, open: map[string]sent{}, accepted: map[uint64]bool{}, window: 16}
}

// missing returns the pieces of queue from next on that are to be sent, as many as the window has
// room for, and where it stopped.
func (b *backlog) missing(queue []shard.Piece, next int) (more []shard.Piece, at int) {
	for ; next < len(queue) && len(b.open)+len(more) < b.window && b.toRead <= 0; next++ {
		p := queue[next]
		_, have := b.held[p.Key]
		if _, open := b.open[p.Key]; !have && !open {
			more = append(more, p)
		}
	}
	return more, next
}

// enter notes that pieces are sent, with again those that are open already, and returns them. A
// result may have come since the caller looked. It does not come twice, so the piece would stay
// open for ever.
func (b *backlog) enter(list []shard.Piece, again bool) (out []shard.Piece) {
	for _, p := range list {
		s, open := b.open[p.Key]
		if _, held := b.held[p.Key]; held || again && !open {
			continue
		}
		if !open {
			b.known++
		}
		b.open[p.Key] = sent{p, time.Now(), s.tries + 1}
		out = append(out, p)
	}
	return out
}

// take notes the result of a piece, whose key has that hash. fresh is false if it has one.
func (b *backlog) take(key string, hash uint64, out outcome) (fresh bool) {
	delete(b.open, key)
	if b.accepted[hash] {
		return false
	}
	b.accepted[hash] = true
	b.held[key] = out
	b.done++
	b.known = max(b.known, b.done)
	b.seconds += out.seconds
	return true
}

// findLostSoon makes findLost search for the open pieces soon: a restarted server has no queue.
// Workers may still store the pieces that they are running.
func (b *backlog) findLostSoon(p *pace) {
	for key, s := range b.open {
		if at := time.Now().Add(p.ackWait/2 - p.lostAfter); s.at.After(at) {
			s.at = at
			b.open[key] = s
		}
	}
}

// late returns the pieces that were sent before so long.
func (b *backlog) late(after time.Duration) (list []shard.Piece) {
	for _, s := range b.open {
		if time.Since(s.at) > after && s.piece.Ask != nil {
			list = append(list, s.piece)
		}
	}
	return list
}

// sent is a piece in the queue.
type sent struct {
	piece shard.Piece
	at    time.Time
	tries int
}
