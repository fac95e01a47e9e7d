// Package http is what the handlers of pages use of net/http. In a browser nothing listens or dials,
// and net/http with its TLS is 0.5 MB of a compressed program; there package inbrowser stands in.
package http

// States of answers.
const (
	StatusOK                    = 200
	StatusCreated               = 201
	StatusAccepted              = 202
	StatusBadRequest            = 400
	StatusNotFound              = 404
	StatusRequestTimeout        = 408
	StatusConflict              = 409
	StatusRequestEntityTooLarge = 413
	StatusUnsupportedMediaType  = 415
	StatusLocked                = 423
	StatusInternalServerError   = 500
	StatusServiceUnavailable    = 503
	StatusInsufficientStorage   = 507
)
