// Package licence finds the modules that a program is made of, and their licences. A licence
// that is not known to be permissive is an error.
package licence
