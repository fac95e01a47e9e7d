package external

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"fibsbot/engine/board"
)

// baseURL reads the address of an engine that is served over HTTP: HOST:PORT or a URL.
func baseURL(address string) (string, error) {
	if !strings.Contains(address, "://") {
		address = "http://" + address
	}
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return "", fmt.Errorf("%w: %.80q is no address (use HOST:PORT, http://… or https://…)", ErrSpec, address)
	}
	return strings.TrimSuffix(u.String(), "/"), nil
}

// web asks an engine over HTTP.
type web struct {
	base   string
	client *http.Client
}

func newWeb(address string) (web, error) {
	base, err := baseURL(address)
	// Only the address that was named is asked.
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return web{base, &http.Client{Transport: &http.Transport{MaxResponseHeaderBytes: maxBody, MaxIdleConns: 1}, CheckRedirect: stay}}, err
}

// Cube implements [Asked].
func (web) Cube() bool { return true }

// Close implements [Asked].
func (x web) Close() error {
	x.client.CloseIdleConnections()
	return nil
}

// exchange posts body, or gets if it is nil, and reads the answer into out.
func (x web) exchange(ctx context.Context, path string, body, out any) error {
	ctx, cancel := context.WithTimeout(ctx, answerLimit)
	defer cancel()
	method, content := http.MethodGet, []byte(nil)
	if body != nil {
		var err error
		if content, err = json.Marshal(body); err != nil {
			return err
		}
		method = http.MethodPost
	}
	r, err := http.NewRequestWithContext(ctx, method, x.base+path, bytes.NewReader(content))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	answer, err := x.client.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(io.LimitReader(answer.Body, maxBody+1))
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", x.base+path, err)
	case len(text) > maxBody:
		return fmt.Errorf("%s: an answer of more than %d bytes", x.base+path, maxBody)
	}
	if err := readFault(text); err != nil {
		return fmt.Errorf("%s: %w", x.base+path, err)
	}
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: status %d: %.60q", x.base+path, answer.StatusCode, text)
	}
	if err := json.Unmarshal(text, out); err != nil {
		return fmt.Errorf("%s: answer %.60q: %w", x.base+path, text, err)
	}
	return nil
}

// nodots asks an engine over the Nodots engine protocol.
type nodots struct{ web }

func dialNodots(ctx context.Context, address string) (Asked, error) {
	w, err := newWeb(address)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, helloLimit)
	defer cancel()
	var h nodotsHealth
	if err := w.exchange(ctx, "/v1/health", nil, &h); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDial, err)
	}
	if h.ProtocolVersion != nodotsVersion {
		return nil, fmt.Errorf("%w: %s: protocol version %.20q, this is %s", ErrDial, w.base, h.ProtocolVersion, nodotsVersion)
	}
	return nodots{w}, nil
}

// Decide implements [Asked].
func (x nodots) Decide(ctx context.Context, q Board, cubeless bool) (a Answer, err error) {
	if cubeless {
		q.State = cubelessState
	}
	if q.Dice.Valid() {
		var m nodotsMoves
		if err := x.exchange(ctx, "/v1/move", newNodotsRequest(&q), &m); err != nil {
			return a, err
		}
		if a.Play, err = board.ParsePlay(q.Position, q.Dice, m.text()); err != nil {
			err = fmt.Errorf("%s: %w", x.base, err)
		}
		return a, err
	}
	path, seen := "/v1/double", q
	if q.Doubled { // as the taker sees it
		path = "/v1/take"
		seen.Position, seen.State = q.Position.Swap(), q.State.Swap()
	}
	var said nodotsAction
	if err := x.exchange(ctx, path, newNodotsRequest(&seen), &said); err != nil {
		return a, err
	}
	if said.Action == "too-good" && !q.Doubled {
		return a, nil
	}
	a, ok := readWord(said.Action, q.Doubled)
	if !ok || said.Action == "beaver" && !q.Doubled {
		return a, fmt.Errorf("%s: action %.40q (want %s)", x.base, said.Action, question(&q))
	}
	return a, nil
}

// wildbg asks wildbg, which judges cubeless plays and the cube in money play.
type wildbg struct{ web }

func dialWildbg(ctx context.Context, address string) (Asked, error) {
	w, err := newWeb(address)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, helloLimit)
	defer cancel()
	x := wildbg{w}
	if _, err := x.Decide(ctx, Board{Position: board.Start, State: cubelessState, Dice: board.Dice{A: 3, B: 1}}, true); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDial, err)
	}
	return x, nil
}

// wildbgPosition writes the points as wildbg counts them: from the mover's ace point, his bar as
// 25, the opponent's as 0, the opponent's checkers negative.
func wildbgPosition(p *board.Position) url.Values {
	v := url.Values{}
	add := func(point, n int) {
		if n != 0 {
			v.Set("p"+strconv.Itoa(point), strconv.Itoa(n))
		}
	}
	for i := range 24 {
		add(i+1, int(p.Me[i])-int(p.Opp[23-i]))
	}
	add(25, int(p.Me[board.Bar]))
	add(0, -int(p.Opp[board.Bar]))
	return v
}

// Decide implements [Asked].
func (x wildbg) Decide(ctx context.Context, q Board, _ bool) (a Answer, err error) {
	v := wildbgPosition(&q.Position)
	if !q.Dice.Valid() {
		var answer struct {
			Cube *struct{ Double, Accept bool } `json:"cube"`
		}
		if err := x.exchange(ctx, "/eval?"+v.Encode(), nil, &answer); err != nil {
			return a, err
		}
		if answer.Cube == nil {
			return a, fmt.Errorf("%s: no cube in the answer to eval", x.base)
		}
		return Answer{Double: answer.Cube.Double && !q.Doubled, Take: answer.Cube.Accept && q.Doubled}, nil
	}
	v.Set("die1", strconv.Itoa(int(q.Dice.A)))
	v.Set("die2", strconv.Itoa(int(q.Dice.B)))
	var answer struct {
		Moves []struct {
			Play []struct{ From, To int } `json:"play"`
		} `json:"moves"`
	}
	if err := x.exchange(ctx, "/move?"+v.Encode(), nil, &answer); err != nil {
		return a, err
	}
	var best nodotsMoves
	if len(answer.Moves) > 0 {
		for _, s := range answer.Moves[0].Play {
			best.Moves = append(best.Moves, nodotsStep{From: s.From % 25, To: s.To})
		}
	}
	if a.Play, err = board.ParsePlay(q.Position, q.Dice, best.text()); err != nil {
		return a, fmt.Errorf("%s: %w", x.base, err)
	}
	return a, nil
}
