// Package pipeline is training on files: each function is a step of making nets that can be
// stopped and resumed.
//
// Package train knows the nets; here are the files that its data come from and go to. Errors
// wrap cmdline.UsageError if the user's request cannot be done.
package pipeline
