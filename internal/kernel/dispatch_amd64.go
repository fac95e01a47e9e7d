//go:build amd64 && !purego

package kernel

import "golang.org/x/sys/cpu"

// best is the widest variant this processor and operating system can run.
func best() int {
	switch x := &cpu.X86; {
	case x.HasAVX512F && x.HasAVX512DQ && x.HasAVX512VL && x.HasAVX512BW && x.HasFMA:
		return levelAVX512
	case x.HasAVX2 && x.HasFMA:
		return levelAVX2
	}
	return levelGo
}

// has reports whether this processor can run variant l.
func has(l int) bool { return l <= best() }

// first is the address of the first row, nil for none.
func first(rows []Row) *uint32 {
	if len(rows) == 0 {
		return nil
	}
	return &rows[0].Offset
}

func accumulate(dst, base, w []float32, rows []Row) {
	switch level {
	case levelAVX512:
		accumulateAVX512(&dst[0], &base[0], &w[0], first(rows), len(rows), len(dst))
	case levelAVX2:
		accumulateAVX2(&dst[0], &base[0], &w[0], first(rows), len(rows), len(dst))
	default:
		accumulateGo(dst, base, w, rows)
	}
}

func addOuter(w []float32, rows []Row, g []float32) {
	switch level {
	case levelAVX512:
		addOuterAVX512(&w[0], first(rows), len(rows), &g[0], len(g))
	case levelAVX2:
		addOuterAVX2(&w[0], first(rows), len(rows), &g[0], len(g))
	default:
		addOuterGo(w, rows, g)
	}
}

func activate(dst, src []float32) {
	switch level {
	case levelAVX512:
		activateAVX512(&dst[0], &src[0], len(dst))
	case levelAVX2:
		activateAVX2(&dst[0], &src[0], len(dst))
	default:
		activateGo(dst, src)
	}
}

func slope(g, pre []float32) {
	switch level {
	case levelAVX512:
		slopeAVX512(&g[0], &pre[0], len(g))
	case levelAVX2:
		slopeAVX2(&g[0], &pre[0], len(g))
	default:
		slopeGo(g, pre)
	}
}

func adam(w, m, v, g []float32, p *AdamStep) {
	switch level {
	case levelAVX512:
		adamAVX512(&w[0], &m[0], &v[0], &g[0], len(w), &p.Rate)
	case levelAVX2:
		adamAVX2(&w[0], &m[0], &v[0], &g[0], len(w), &p.Rate)
	default:
		adamGo(w, m, v, g, p)
	}
}
