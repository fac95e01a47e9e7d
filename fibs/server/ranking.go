package server

import (
	"slices"
	"sort"
)

// ranking holds the rated accounts, best first. It is kept in order: sorting a hundred thousand
// accounts for each question would delay all users.
type ranking []*account

func ahead(a, b *account) bool {
	if a.Rating != b.Rating {
		return a.Rating > b.Rating
	}
	return a.Name < b.Name
}

// place returns the index of an account, or where it would be inserted.
func (r ranking) place(a *account) int {
	return sort.Search(len(r), func(i int) bool { return !ahead(r[i], a) })
}

// rank returns the rank of an account, from 1, or 0 if it has none.
func (r ranking) rank(a *account) int {
	if i := r.place(a); i < len(r) && r[i] == a {
		return i + 1
	}
	return 0
}

// add inserts an account that has played enough.
func (r *ranking) add(a *account) {
	if a.Experience > experienceMark {
		*r = slices.Insert(*r, r.place(a), a)
	}
}

// remove removes an account, before its rating changes.
func (r *ranking) remove(a *account) {
	if i := r.rank(a); i > 0 {
		*r = slices.Delete(*r, i-1, i)
	}
}
