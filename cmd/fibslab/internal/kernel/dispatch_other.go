//go:build !amd64 || purego

package kernel

func addProduct(c []float32, cStep int, a Matrix, b []float32, bStep, m, k, n int) {
	addProductGo(c, cStep, a, b, bStep, m, k, n)
}
