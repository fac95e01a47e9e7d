package ctxread

import "os"

// Open opens a file for reading and never blocks. A named pipe without a writer is empty, where
// os.Open would wait for a writer without regard to any context.
func Open(name string) (*os.File, error) { return os.OpenFile(name, os.O_RDONLY|nonBlock, 0) }
