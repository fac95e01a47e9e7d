// The files of the engine: a tree in memory, which a Store keeps in the browser. Go's package
// os calls it like the module fs of Node.

const DIR = 0o040000;
const FILE = 0o100000;
const constants = {
  O_WRONLY: 1,
  O_RDWR: 2,
  O_CREAT: 0o100,
  O_EXCL: 0o200,
  O_TRUNC: 0o1000,
  O_APPEND: 0o2000,
  O_DIRECTORY: 0o200000,
};

const fault = (code) => Object.assign(new Error(code), { code });

const parts = (path) => {
  const out = [];
  for (const p of path.split("/")) {
    if (p === "..") out.pop();
    else if (p && p !== ".") out.push(p);
  }
  return out;
};

/** temporary files are not stored before they get their name. */
const temporary = (path) => path.slice(path.lastIndexOf("/") + 1).startsWith(".tmp-") || path.startsWith("/tmp/");

export class Files {
  #ino = 1;
  #root = this.#dir(0o755);
  #open = new Map();
  #next = 10;
  #store;
  #print = "";

  constructor(store) {
    this.#store = store;
    this.constants = constants;
    for (const dir of ["/tmp", "/home"]) this.#add(dir, this.#dir(0o755));
  }

  /** load reads what the store has; the contents of files are read when they are opened. */
  async load() {
    const all = await this.#store.load();
    all.sort((a, b) => (a.path < b.path ? -1 : 1)); // folders before what is in them
    for (const { path, mode, mtime, size } of all) {
      const node =
        (mode & DIR) === DIR ? this.#dir(mode & 0o777) : { ino: this.#ino++, mode, mtime, size, data: null, open: 0 };
      node.mtime = mtime;
      try {
        this.#add(path, node);
      } catch {
        /* its folder is missing */
      }
    }
  }

  /** below lists the files below a folder with their contents. */
  async below(path) {
    const out = [];
    let node;
    try {
      node = this.#find(path);
    } catch {
      return out;
    }
    out.push({
      path,
      mode: node.mode,
      mtime: node.mtime,
      size: node.size,
      data: node.children ? null : (node.data?.slice(0, node.size) ?? (await this.#store.content(path))),
    });
    for (const name of node.children?.keys() ?? []) out.push(...(await this.below(path + "/" + name)));
    return out;
  }

  #dir(mode) {
    return { ino: this.#ino++, mode: DIR | mode, mtime: Date.now(), size: 0, children: new Map() };
  }

  #find(path) {
    let node = this.#root;
    for (const p of parts(path)) {
      if (!node.children) throw fault("ENOTDIR");
      node = node.children.get(p);
      if (!node) throw fault("ENOENT");
    }
    return node;
  }

  #parent(path) {
    const list = parts(path);
    const name = list.pop();
    if (name === undefined) throw fault("EINVAL");
    const dir = this.#find(list.join("/"));
    if (!dir.children) throw fault("ENOTDIR");
    return [dir, name];
  }

  #add(path, node) {
    const [dir, name] = this.#parent(path);
    dir.children.set(name, node);
    dir.mtime = Date.now();
  }

  #path(path) {
    return "/" + parts(path).join("/");
  }

  #changed(path, node) {
    path = this.#path(path);
    if (!temporary(path)) this.#store.put(path, node);
  }

  #stat(n) {
    const time = n.mtime;
    return {
      dev: 1,
      ino: n.ino,
      mode: n.mode,
      nlink: 1,
      uid: 0,
      gid: 0,
      rdev: 0,
      size: n.size,
      blksize: 4096,
      blocks: Math.ceil(n.size / 512),
      atimeMs: time,
      mtimeMs: time,
      ctimeMs: time,
      isDirectory: () => !!n.children,
    };
  }

  async #read(node, path) {
    if (node.data === null) node.data = (await this.#store.content(this.#path(path))) ?? new Uint8Array(0);
    node.size = Math.min(node.size, node.data.length);
  }

  #file(fd) {
    const f = this.#open.get(fd);
    if (!f) throw fault("EBADF");
    return f;
  }

  #resize(node, size) {
    if (size > node.data.length) {
      const more = new Uint8Array(Math.max(size, 2 * node.data.length));
      more.set(node.data.subarray(0, node.size));
      node.data = more;
    } else if (size < node.size) {
      node.data.fill(0, size, node.size);
    }
    node.size = size;
    node.mtime = Date.now();
  }

  // What package os calls. Each passes its error, or null and its result, to the callback.

  open = this.#call(async (path, flags, mode) => {
    let node;
    try {
      node = this.#find(path);
    } catch (err) {
      if (err.code !== "ENOENT" || !(flags & constants.O_CREAT)) throw err;
      node = {
        ino: this.#ino++,
        mode: FILE | (mode & 0o777),
        mtime: Date.now(),
        size: 0,
        data: new Uint8Array(0),
        open: 0,
      };
      this.#add(path, node);
      this.#changed(path, node);
      flags &= ~(constants.O_EXCL | constants.O_TRUNC);
    }
    if (flags & constants.O_CREAT && flags & constants.O_EXCL) throw fault("EEXIST");
    const writes = flags & (constants.O_WRONLY | constants.O_RDWR);
    if (node.children && writes) throw fault("EISDIR");
    if (!node.children && flags & constants.O_DIRECTORY) throw fault("ENOTDIR");
    if (!node.children) {
      node.open++; // before waiting, so that it is not dropped
      if (writes && flags & constants.O_TRUNC) {
        node.data = new Uint8Array(0);
        node.size = 0;
        this.#changed(path, node);
      } else {
        await this.#read(node, path);
      }
    }
    const fd = this.#next++;
    this.#open.set(fd, { node, path: this.#path(path), at: 0, append: !!(flags & constants.O_APPEND) });
    return fd;
  });

  close = this.#call((fd) => {
    const { node } = this.#file(fd);
    this.#open.delete(fd);
    if (!node.children && --node.open === 0) this.#store.closed(node);
  });

  read = this.#call((fd, buffer, offset, length, position) => {
    const f = this.#file(fd);
    const at = position ?? f.at;
    if (f.node.children) throw fault("EISDIR");
    const n = Math.max(0, Math.min(length, f.node.size - at));
    buffer.set(f.node.data.subarray(at, at + n), offset);
    if (position === null || position === undefined) f.at += n;
    return n;
  });

  write = this.#call((fd, buffer, offset, length, position) => {
    if (fd === 1 || fd === 2) return this.writeSync(fd, buffer.subarray(offset, offset + length));
    const f = this.#file(fd);
    const at = f.append ? f.node.size : (position ?? f.at);
    const size = f.node.size;
    this.#resize(f.node, Math.max(size, at + length));
    f.node.data.set(buffer.subarray(offset, offset + length), at);
    if (position === null || position === undefined) f.at = at + length;
    this.#changed(f.path, f.node);
    return length;
  });

  writeSync(_fd, buffer) {
    this.#print += new TextDecoder().decode(buffer);
    const end = this.#print.lastIndexOf("\n");
    if (end >= 0) {
      console.log(this.#print.slice(0, end));
      this.#print = this.#print.slice(end + 1);
    }
    return buffer.length;
  }

  stat = this.#call((path) => this.#stat(this.#find(path)));
  lstat = this.stat;
  fstat = this.#call((fd) => this.#stat(this.#file(fd).node));
  readdir = this.#call((path) => {
    const { children } = this.#find(path);
    if (!children) throw fault("ENOTDIR");
    return [...children.keys()].sort();
  });

  mkdir = this.#call((path, mode) => {
    const [dir, name] = this.#parent(path);
    if (dir.children.has(name)) throw fault("EEXIST");
    const node = this.#dir(mode & 0o777);
    dir.children.set(name, node);
    this.#changed(path, node);
  });

  rmdir = this.#call((path) => {
    const [dir, name] = this.#parent(path);
    const node = this.#find(path);
    if (!node.children) throw fault("ENOTDIR");
    if (node.children.size) throw fault("ENOTEMPTY");
    dir.children.delete(name);
    this.#store.remove(this.#path(path));
  });

  unlink = this.#call((path) => {
    const [dir, name] = this.#parent(path);
    const node = this.#find(path);
    if (node.children) throw fault("EISDIR");
    dir.children.delete(name);
    this.#store.remove(this.#path(path));
  });

  rename = this.#call(async (from, to) => {
    const node = this.#find(from);
    const [fromDir, fromName] = this.#parent(from);
    const [toDir, toName] = this.#parent(to);
    const old = toDir.children.get(toName);
    if (old === node) return;
    if (old?.children && (!node.children || old.children.size)) throw fault(node.children ? "ENOTEMPTY" : "EISDIR");
    if (!old?.children && old && node.children) throw fault("ENOTDIR");
    from = this.#path(from);
    to = this.#path(to);
    if (node.children && (to + "/").startsWith(from + "/")) throw fault("EINVAL");
    const below = [...this.#below(from, node)];
    for (const [path, n] of below) if (!n.children) await this.#read(n, path);
    fromDir.children.delete(fromName);
    toDir.children.set(toName, node);
    for (const f of this.#open.values()) {
      if (f.path === from || f.path.startsWith(from + "/")) f.path = to + f.path.slice(from.length);
    }
    for (const [path, n] of below) {
      this.#store.remove(path);
      this.#changed(to + path.slice(from.length), n);
    }
  });

  *#below(path, node) {
    yield [path, node];
    for (const [name, n] of node.children ?? []) yield* this.#below(path + "/" + name, n);
  }

  truncate = this.#call(async (path, size) => {
    const node = this.#find(path);
    if (node.children) throw fault("EISDIR");
    await this.#read(node, path);
    this.#resize(node, size);
    this.#changed(path, node);
  });

  ftruncate = this.#call((fd, size) => {
    const f = this.#file(fd);
    this.#resize(f.node, size);
    this.#changed(f.path, f.node);
  });

  chmod = this.#call((path, mode) => {
    const node = this.#find(path);
    node.mode = (node.mode & ~0o777) | (mode & 0o777);
    this.#changed(path, node);
  });

  fchmod = this.#call((fd, mode) => {
    const f = this.#file(fd);
    f.node.mode = (f.node.mode & ~0o777) | (mode & 0o777);
    this.#changed(f.path, f.node);
  });

  utimes = this.#call((path, _atime, mtime) => {
    const node = this.#find(path);
    node.mtime = mtime * 1000;
    this.#changed(path, node);
  });

  /** fsync waits until all changes are stored. What cannot be stored stays in memory, and the
      page says so: an error here would end the match in play. */
  fsync = this.#call(async (fd) => {
    const f = this.#file(fd);
    if (!temporary(f.path)) await this.#store.flush().catch(() => {});
  });

  chown = this.#call(() => {});
  fchown = this.chown;
  lchown = this.chown;
  readlink = this.#call((path) => {
    this.#find(path);
    throw fault("EINVAL");
  });
  link = this.#call(() => {
    throw fault("ENOSYS");
  });
  symlink = this.link;

  #call(work) {
    return (...args) => {
      const callback = args.pop();
      // Go expects the callback after the call has returned.
      Promise.resolve()
        .then(() => work(...args))
        .then(
          (v) => callback(null, v),
          (err) => callback(err.code ? err : Object.assign(err, { code: "EIO" })),
        );
    };
  }
}
