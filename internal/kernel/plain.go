package kernel

import "math"

// accumulateGo takes four rows a pass: the sums then stay in registers four times
// as long, which is most of what plain Go can do about speed.
func accumulateGo(dst, base, w []float32, rows []Row) {
	n := len(dst)
	copy(dst, base[:n])
	for len(rows) >= 4 {
		a, b, c, d := row(w, rows[0], n), row(w, rows[1], n), row(w, rows[2], n), row(w, rows[3], n)
		sa, sb, sc, sd := rows[0].Scale, rows[1].Scale, rows[2].Scale, rows[3].Scale
		for j := range dst {
			dst[j] += sa*a[j] + sb*b[j] + (sc*c[j] + sd*d[j])
		}
		rows = rows[4:]
	}
	for _, r := range rows {
		a := row(w, r, n)
		for j := range dst {
			dst[j] += r.Scale * a[j]
		}
	}
}

func row(w []float32, r Row, n int) []float32 { return w[r.Offset:][:n:n] }

func addOuterGo(w []float32, rows []Row, g []float32) {
	for _, r := range rows {
		a := row(w, r, len(g))
		for j, x := range g {
			a[j] += r.Scale * x
		}
	}
}

func activateGo(dst, src []float32) {
	for i, x := range src[:len(dst)] {
		c := min(max(x, 0), 1)
		dst[i] = c * c
	}
}

func slopeGo(g, pre []float32) {
	for i, x := range pre[:len(g)] {
		if x <= 0 || x >= 1 {
			g[i] = 0
		} else {
			g[i] *= 2 * x
		}
	}
}

func adamGo(w, m, v, g []float32, p *AdamStep) {
	n := len(w)
	m, v, g = m[:n], v[:n], g[:n]
	for i := range w {
		x := g[i] * p.Scale
		m[i] += p.NewMean * (x - m[i])
		v[i] += p.NewSquare * (x*x - v[i])
		w[i] = p.Keep*w[i] - p.Rate*m[i]/(float32(math.Sqrt(float64(v[i])))+p.Epsilon)
		g[i] = 0
	}
}
