//go:build js

package http

import (
	"io"

	"fibsbot/internal/http/inbrowser"
)

// The types of inbrowser.
type (
	Handler            = inbrowser.Handler
	HandlerFunc        = inbrowser.HandlerFunc
	Header             = inbrowser.Header
	MaxBytesError      = inbrowser.MaxBytesError
	Request            = inbrowser.Request
	ResponseController = inbrowser.ResponseController
	ResponseWriter     = inbrowser.ResponseWriter
	ServeMux           = inbrowser.ServeMux
)

// ErrNotSupported is that of inbrowser.
var ErrNotSupported = inbrowser.ErrNotSupported

// Error is that of inbrowser.
func Error(w ResponseWriter, text string, status int) { inbrowser.Error(w, text, status) }

// MaxBytesReader is that of inbrowser.
func MaxBytesReader(w ResponseWriter, r io.ReadCloser, n int64) io.ReadCloser {
	return inbrowser.MaxBytesReader(w, r, n)
}

// NewResponseController is that of inbrowser.
func NewResponseController(w ResponseWriter) *ResponseController {
	return inbrowser.NewResponseController(w)
}

// NewServeMux is that of inbrowser.
func NewServeMux() *ServeMux { return inbrowser.NewServeMux() }
