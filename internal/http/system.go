//go:build !js

package http

import (
	"io"
	"net/http"
)

// The types of net/http.
type (
	Handler            = http.Handler
	HandlerFunc        = http.HandlerFunc
	Header             = http.Header
	MaxBytesError      = http.MaxBytesError
	Request            = http.Request
	ResponseController = http.ResponseController
	ResponseWriter     = http.ResponseWriter
	ServeMux           = http.ServeMux
)

// ErrNotSupported is that of net/http.
var ErrNotSupported = http.ErrNotSupported

// Error is that of net/http.
func Error(w ResponseWriter, text string, status int) { http.Error(w, text, status) }

// MaxBytesReader is that of net/http.
func MaxBytesReader(w ResponseWriter, r io.ReadCloser, n int64) io.ReadCloser {
	return http.MaxBytesReader(w, r, n)
}

// NewResponseController is that of net/http.
func NewResponseController(w ResponseWriter) *ResponseController {
	return http.NewResponseController(w)
}

// NewServeMux is that of net/http.
func NewServeMux() *ServeMux { return http.NewServeMux() }
