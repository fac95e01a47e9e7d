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

// rectifiedGo sums blocks of 32 in an array of its own, which needs no memory of
// the caller's.
func rectifiedGo(out, base, w []float32, rows []Row) (total float32) {
	for at := 0; at < len(base); at += Width {
		acc := [Width]float32(base[at:])
		// Four rows a pass, as in accumulateGo.
		rest := rows
		for ; len(rest) >= 4; rest = rest[4:] {
			a, b := (*[Width]float32)(w[int(rest[0].Offset)+at:]), (*[Width]float32)(w[int(rest[1].Offset)+at:])
			c, d := (*[Width]float32)(w[int(rest[2].Offset)+at:]), (*[Width]float32)(w[int(rest[3].Offset)+at:])
			sa, sb, sc, sd := rest[0].Scale, rest[1].Scale, rest[2].Scale, rest[3].Scale
			for k := range acc {
				acc[k] += sa*a[k] + sb*b[k] + (sc*c[k] + sd*d[k])
			}
		}
		for _, r := range rest {
			a := (*[Width]float32)(w[int(r.Offset)+at:])
			for k := range acc {
				acc[k] += r.Scale * a[k]
			}
		}
		o := (*[Width]float32)(out[at:])
		// Half of the units are off, and no processor guesses which: no branches.
		// Four sums, as each addition has to wait for the one before.
		var a, b, c, d float32
		for k := 0; k < Width; k += 4 {
			a += o[k] * positive(acc[k])
			b += o[k+1] * positive(acc[k+1])
			c += o[k+2] * positive(acc[k+2])
			d += o[k+3] * positive(acc[k+3])
		}
		total += a + b + (c + d)
	}
	return total
}

// positive is max(x, 0), without the care for NaN that max takes.
func positive(x float32) float32 {
	b := math.Float32bits(x)
	return math.Float32frombits(b &^ uint32(int32(b)>>31))
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

func dot5Go(out *[5]float32, x, w []float32) {
	n := len(x)
	a, b, c, d, e := w[:n], w[n:][:n], w[2*n:][:n], w[3*n:][:n], w[4*n:][:n]
	var sa, sb, sc, sd, se float32
	for j, v := range x {
		sa += v * a[j]
		sb += v * b[j]
		sc += v * c[j]
		sd += v * d[j]
		se += v * e[j]
	}
	out[0] += sa
	out[1] += sb
	out[2] += sc
	out[3] += sd
	out[4] += se
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
