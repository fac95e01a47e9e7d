package kernel

// Matrix is a view of rows in a slice: element (i, j) is Data[i*RowStep+j*ColStep].
type Matrix struct {
	Data             []float32
	RowStep, ColStep int
}

// Rows is the usual matrix: rows of width floats one after another.
func Rows(data []float32, width int) Matrix { return Matrix{data, width, 1} }

// T is the transposed view.
func (m Matrix) T() Matrix { return Matrix{m.Data, m.ColStep, m.RowStep} }

// AddProduct adds a times b to c: c has m rows of n floats with the given step,
// a has m rows and k columns in any view, b has k rows of n floats. n must be a
// multiple of 32, and the slices long enough: it panics otherwise.
func AddProduct(c []float32, cStep int, a Matrix, b []float32, bStep, m, k, n int) {
	if n%32 != 0 || cStep < n || bStep < n {
		panic("kernel: columns must be a multiple of 32 and fit their rows")
	}
	if m == 0 || k == 0 || n == 0 {
		return
	}
	_ = c[(m-1)*cStep+n-1]
	_ = b[(k-1)*bStep+n-1]
	_ = a.Data[(m-1)*a.RowStep+(k-1)*a.ColStep]
	if a.RowStep < 0 || a.ColStep < 0 {
		panic("kernel: negative step")
	}
	addProduct(c, cStep, a, b, bStep, m, k, n)
}

func addProductGo(c []float32, cStep int, a Matrix, b []float32, bStep, m, k, n int) {
	for i := range m {
		row := c[i*cStep:][:n]
		for j := range k {
			x := a.Data[i*a.RowStep+j*a.ColStep]
			if x == 0 {
				continue
			}
			line := b[j*bStep:][:len(row)]
			for h := range row {
				row[h] += x * line[h]
			}
		}
	}
}
