"""Position labels by GNU Backgammon, in bulk.  Runs inside gnubg:

    gnubg -t -q -r -p label.py </dev/null >/dev/null

LABEL=serve   (default) answers batches on file descriptors 3 (requests) and 4 (answers) until the end of input:
              request  = uint32 n, uint32 plies, n keys of 10 bytes;  answer = n labels of 10 bytes (little-endian)
              With the top bit of plies set, n cube questions of 16 bytes: a key, match length (0 money), points of the player on roll
              and of the opponent, cube value, owner (0 nobody, 1 the player on roll), 1 with the Jacoby rule;
              answer = for each no double, double and take, double and pass as float32, cubeful equities at the cube (EMG)
LABEL=file    IN=keys OUT=records PLIES=2: IN holds 10-byte keys, or with STRIDE=20 records whose label is replaced;
              OUT gets 20-byte records and is appended to: a second run goes on where the first stopped
LABEL=rate    prints labels a second at 0, 1 and 2 plies for the keys in IN

Keys and labels are those of shared/positions/README.md.  With the helper fast.c next to this file (compiled by gcc on
first use into $XDG_CACHE_HOME or /tmp) and the one build of gnubg it knows, a core gives more than 100,000 labels a
second at 0 plies; otherwise gnubg.evaluate is asked one position at a time (100 a second).
"""
import array, ctypes, hashlib, os, struct, subprocess, sys, time
import gnubg

BUILD = 'ddaa53494142055563fb2ec754af2818cf6aa990'
# Key, and gnubg's 0-ply answer for it: shared/reference/eval.jsonl, line 1 and two more.
KNOWN = (('4NvBwQDgc+EBKA', (0.369892, 0.076591, 0.000956, 0.151198, 0.004292)),
         ('kWfwASjg88EBDA', (0.582473, 0.208489, 0.015107, 0.100822, 0.001749)),
         ('4PPgBSDgc/AAaA', (0.414547, 0.089776, 0.003147, 0.184434, 0.008775)))


def here():
    return os.environ.get('LABEL_DIR') or os.path.dirname(os.path.abspath(sys.argv[0] if not globals().get('__file__') else __file__))


def build_id(path):
    """The build ID of an ELF file, found by its note's fixed head."""
    data = open(path, 'rb').read(4096)
    at = data.find(b'\x04\0\0\0\x14\0\0\0\x03\0\0\0GNU\0')
    return data[at + 16:at + 36].hex() if at >= 0 else ''


def load_base(exe):
    for line in open('/proc/self/maps'):
        if line.rstrip().endswith(exe):
            lo, rest = line.split('-', 1)
            if rest.split()[2].strip('0') == '':
                return int(lo, 16)
    return 0


def from_id(text):
    import base64
    return base64.b64decode(text + '==')[:10]


def unpack(key):
    sides, cur = [], []
    n = 0
    for bit in range(80):
        if key[bit >> 3] >> (bit & 7) & 1:
            n += 1
            continue
        cur.append(n)
        n = 0
        if len(cur) == 25:
            sides.append(tuple(cur))
            cur = []
            if len(sides) == 2:
                break
    return tuple(sides)


class Slow:
    name = 'gnubg.evaluate'

    def __init__(self):
        self.cube = gnubg.cubeinfo()

    def batch(self, keys, plies):
        ec = {'plies': plies, 'cubeful': 0, 'deterministic': 1, 'noise': 0.0, 'prune': 1 if plies else 0}
        out = array.array('H')
        for i in range(0, len(keys), 10):
            v = gnubg.evaluate(unpack(keys[i:i + 10]), self.cube, ec)
            out.extend(min(65535, max(0, round(x * 65535))) for x in v[:5])
        return out.tobytes()


class Fast:
    name = 'fast.c'

    def __init__(self):
        exe = os.path.realpath('/proc/self/exe')
        if build_id(exe) != BUILD:
            raise RuntimeError('another build of gnubg')
        src = os.path.join(here(), 'fast.c')
        cache = os.environ.get('XDG_CACHE_HOME') or '/tmp'
        # Named by what it is made of: the program writes both files anew each time.
        so = os.path.join(cache, 'fibsbot-label-%d-%s.so' % (os.getuid(), hashlib.sha256(open(src, 'rb').read()).hexdigest()[:12]))
        if not os.path.exists(so):
            tmp = '%s.%d' % (so, os.getpid())
            subprocess.check_call(['gcc', '-O2', '-shared', '-fPIC', '-o', tmp, src, '-lm'])
            os.replace(tmp, so)
        self.f = ctypes.CDLL(so).label_batch
        self.f.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p, ctypes.c_int, ctypes.c_int, ctypes.c_int]
        self.base = load_base(exe)
        if not self.base:
            raise RuntimeError('cannot find where gnubg is loaded')
        got = struct.unpack('<15H', self.batch(b''.join(from_id(k) for k, _ in KNOWN), 0))
        want = [p for _, v in KNOWN for p in v]
        if max(abs(g / 65535 - w) for g, w in zip(got, want)) > 0.002:
            raise RuntimeError('labels of known positions differ')

    def batch(self, keys, plies):
        n = len(keys) // 10
        out = ctypes.create_string_buffer(10 * n)
        if self.f(self.base, keys, out, n, plies, 1 if plies else 0) != n:
            raise RuntimeError('a key is damaged')
        return out.raw


def read_all(fd, n):
    parts = []
    while n:
        b = os.read(fd, min(n, 1 << 20))
        if not b:
            return None
        parts.append(b)
        n -= len(b)
    return b''.join(parts)


def write_all(fd, b):
    b = memoryview(b)
    while b:
        b = b[os.write(fd, b):]


CUBES = 1 << 31


def cube(asked, plies):
    length, me, opp, value, owner, jacoby = asked[10:16]
    info = gnubg.cubeinfo(value, 1 if owner else -1, 1, length, (opp, me), 0)
    info['jacoby'] = jacoby
    ec = {'plies': plies, 'cubeful': 1, 'deterministic': 1, 'noise': 0.0, 'prune': 1 if plies else 0}
    return struct.pack('<3f', *gnubg.cfevaluate(unpack(asked[:10]), info, ec)[1:4])


def serve(lab):
    while True:
        head = read_all(3, 8)
        if head is None:
            return
        n, plies = struct.unpack('<II', head)
        if plies & CUBES:
            asked = read_all(3, 16 * n)
            if asked is None:
                return
            write_all(4, b''.join(cube(asked[i:i + 16], plies & ~CUBES) for i in range(0, 16 * n, 16)))
            continue
        keys = read_all(3, 10 * n)
        if keys is None:
            return
        write_all(4, lab.batch(keys, plies))


def label_file(lab):
    stride, plies = int(os.environ.get('STRIDE', '10')), int(os.environ.get('PLIES', '2'))
    chunk = 200000 if plies == 0 else 200
    out_path = os.environ['OUT']
    done = os.path.getsize(out_path) // 20 if os.path.exists(out_path) else 0
    if done:
        os.truncate(out_path, 20 * done)
    limit = int(os.environ.get('LIMIT', '0'))
    with open(os.environ['IN'], 'rb') as src, open(out_path, 'ab') as dst:
        src.seek(done * stride)
        while not limit or done < limit:
            raw = src.read(chunk * stride)
            n = len(raw) // stride
            if n == 0:
                return
            keys = b''.join(raw[i * stride:i * stride + 10] for i in range(n))
            labels = lab.batch(keys, plies)
            dst.write(b''.join(keys[10 * i:10 * i + 10] + labels[10 * i:10 * i + 10] for i in range(n)))
            dst.flush()
            done += n


def rate(lab):
    stride = int(os.environ.get('STRIDE', '10'))
    raw = open(os.environ['IN'], 'rb').read(stride * 200000)
    keys = b''.join(raw[i:i + 10] for i in range(0, len(raw) - stride + 1, stride))
    for plies, n in ((0, 200000), (1, 2000), (2, 200)):
        k = keys[:10 * n]
        t, c = time.time(), time.process_time()
        lab.batch(k, plies)
        t, c = time.time() - t, time.process_time() - c
        print('RATE', lab.name, plies, 'plies', len(k) // 10, 'labels', round(len(k) / 10 / t), 'a second', round(len(k) / 10 / c), 'a CPU second')


gnubg.command('set automatic game off')
gnubg.command('new session')
try:
    labeller = Fast()
except Exception as e:
    print('the slow way:', e, file=sys.stderr)
    labeller = Slow()
{'serve': serve, 'file': label_file, 'rate': rate}[os.environ.get('LABEL', 'serve')](labeller)
