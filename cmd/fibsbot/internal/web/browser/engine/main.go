//go:build js

// The program of the browser edition: it answers the requests of the pages in a worker of the
// browser, with the handlers of `fibsbot web`. The worker provides its files, see fs.js.
package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"syscall/js"

	"fibsbot/bot/archive/index"
	"fibsbot/cmd/fibsbot/internal/play"
	"fibsbot/cmd/fibsbot/internal/quiz"
	"fibsbot/cmd/fibsbot/internal/web"
	"fibsbot/engine"
	"fibsbot/internal/http"
	"fibsbot/internal/http/inbrowser"
)

// archiveDir is the folder of the archive in the files of the worker.
const archiveDir = "/home/archive"

// cacheMB bounds the evaluation cache: phones have little memory.
const cacheMB = 16

func main() {
	host := js.Global().Get("fibsbotHost")
	ready, err := open(host)
	if err != nil {
		host.Call("failed", err.Error())
		return
	}
	host.Call("ready", js.FuncOf(ready))
	select {}
}

// open opens the engine and returns the function that the host calls: one that answers requests,
// or in a helper one that plays pieces.
func open(host js.Value) (func(js.Value, []js.Value) any, error) {
	e, err := engine.Open(engine.Options{CacheMB: cacheMB})
	if err != nil {
		return nil, err
	}
	if host.Get("helpers").IsUndefined() {
		return newHelper(e).take, nil
	}
	return site(host, e)
}

// site opens the archive and returns the function that answers requests.
func site(host js.Value, e *engine.Engine) (func(js.Value, []js.Value) any, error) {
	if err := os.MkdirAll(archiveDir, 0o700); err != nil {
		return nil, fmt.Errorf("archive: %w", err)
	}
	db, err := index.OpenComplete(context.Background(), archiveDir, "")
	if err != nil {
		return nil, fmt.Errorf("archive: %w", err)
	}
	opts := web.Options{Version: host.Get("version").String()}
	opts.API.Engine, opts.API.Archive, opts.API.Matches, opts.API.Analyse = e, db, play.NewStore(filepath.Join(archiveDir, "play"), db), true
	if helpers := host.Get("helpers").Int(); helpers > 0 {
		opts.API.Crew = crew(host, helpers, e)
	}
	if opts.API.Quiz, err = quiz.Of(db); err != nil {
		return nil, err
	}
	site, err := web.New(opts)
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	keep := func() error {
		stored := make(chan bool, 1)
		told := js.FuncOf(func(_ js.Value, args []js.Value) any {
			stored <- args[0].Bool()
			return nil
		})
		defer told.Release()
		host.Call("keep", told)
		if !<-stored {
			return errNotStored
		}
		return nil
	}
	archiveRoutes(mux, opts.Version, keep, func() { host.Call("restart") })
	mux.Handle("/", site)
	return serve(mux), nil
}

// serve returns a function of JavaScript that answers a request: (method, path, headers, body,
// sink) returns a function that cancels it. The sink gets head(status, headers), then
// data(bytes) any number of times, then end().
func serve(h http.Handler) func(js.Value, []js.Value) any {
	return func(_ js.Value, args []js.Value) any {
		ctx, cancel := context.WithCancel(context.Background())
		r, err := request(ctx, args[0].String(), args[1].String(), args[2], args[3])
		w := &response{sink: args[4], header: http.Header{}}
		go func() {
			defer cancel()
			if err != nil {
				http.Error(w, err.Error(), http.StatusBadRequest)
			} else {
				h.ServeHTTP(w, r)
			}
			w.WriteHeader(http.StatusOK)
			w.sink.Call("end")
		}()
		return js.FuncOf(func(js.Value, []js.Value) any {
			cancel()
			return nil
		})
	}
}

// request makes a request of what JavaScript passed; body is a Uint8Array or null.
func request(ctx context.Context, method, path string, headers, body js.Value) (*http.Request, error) {
	var data []byte
	if !body.IsNull() && !body.IsUndefined() {
		data = goBytes(body)
	}
	r, err := inbrowser.NewRequest(ctx, method, path, data)
	if err != nil {
		return nil, err
	}
	names := js.Global().Get("Object").Call("keys", headers)
	for i := range names.Length() {
		name := names.Index(i).String()
		r.Header.Set(name, headers.Get(name).String())
	}
	return r, nil
}

// response passes an answer to JavaScript as it is written.
type response struct {
	sink   js.Value
	header http.Header
	begun  bool
}

// Header implements http.ResponseWriter.
func (w *response) Header() http.Header { return w.header }

// WriteHeader implements http.ResponseWriter.
func (w *response) WriteHeader(status int) {
	if w.begun {
		return
	}
	w.begun = true
	headers := js.Global().Get("Object").New()
	for name, values := range w.header {
		headers.Set(name, values[0])
	}
	w.sink.Call("head", status, headers)
}

// Write implements http.ResponseWriter.
func (w *response) Write(data []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	if len(data) > 0 {
		w.sink.Call("data", bytesOf(data))
	}
	return len(data), nil
}

// Flush has nothing to send: nothing is kept back.
func (w *response) Flush() {}
