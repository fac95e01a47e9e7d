//go:build js

package main

import (
	"bytes"
	"context"
	"net/http"
	"syscall/js"
)

// request makes a request of what JavaScript passed; body is a Uint8Array or null.
func request(ctx context.Context, method, path string, headers, body js.Value) (*http.Request, error) {
	var data []byte
	if !body.IsNull() && !body.IsUndefined() {
		data = goBytes(body)
	}
	r, err := http.NewRequestWithContext(ctx, method, path, bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	r.Host = "localhost" // a page of this origin asked
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

// Flush implements http.Flusher: nothing is kept back.
func (w *response) Flush() {}
