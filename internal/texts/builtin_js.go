package texts

// builtIn has English alone: the page passes the catalogue of its language, see Add.
func builtIn() map[string]*Catalogue { return map[string]*Catalogue{"en": nil} }
