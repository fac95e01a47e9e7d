//go:build !amd64 || purego

package kernel

func accumulate(dst, base, w []float32, rows []Row) { accumulateGo(dst, base, w, rows) }
func addOuter(w []float32, rows []Row, g []float32) { addOuterGo(w, rows, g) }
func activate(dst, src []float32)                   { activateGo(dst, src) }
func slope(g, pre []float32)                        { slopeGo(g, pre) }
func adam(w, m, v, g []float32, p *AdamStep)        { adamGo(w, m, v, g, p) }
