"""Self-play of a big net on a graphics processor, then a fit of the program's nets to it.

    OUT=folder LIMIT=575 SUP=45 STU=140 python3 selfplay.py

board.cu and the program fibslab (statically linked: CGO_ENABLED=0 go build ./cmd/fibslab) lie
beside this file. Needs PyTorch and nvcc; with TINY=1 a processor and g++ are enough for a dry
run. By the clock: SUP seconds of a fit to positions of the program's own play, self-play with
exact backups over all 21 rolls, STU seconds for the program's nets; all is written LIMIT
seconds after the beginning, OUT/big.bin and OUT/nets.bin every minute. FROM=big.bin goes on
from a big net instead of the fit. docs/training.md, "On a device", tells what comes of it.
"""
import os, time, ctypes, subprocess, math, shutil
T0 = time.time()
os.environ.setdefault('PYTORCH_CUDA_ALLOC_CONF', 'expandable_segments:True')
import numpy as np, torch
HERE = os.path.dirname(os.path.abspath(__file__))
OUT = os.environ['OUT']
TINY = os.environ.get('TINY') == '1'
LIMIT = float(os.environ.get('LIMIT', '560'))     # seconds from T0 at which all is saved
SUP = float(os.environ.get('SUP', '25'))          # seconds of supervised fit
PLAYER = os.environ.get('PLAYER', 'big')            # who plays: a big net, or the program's own
assert PLAYER in ('big', 'own')
STU = float(os.environ.get('STU', '150'))         # seconds left for the program's nets at the end
NPROC = int(os.environ.get('NPROC', '16'))
GEN = int(os.environ.get('GEN', '1250000'))
STORE = int(os.environ.get('STORE', '60000000'))  # labelled positions kept for the program's nets
SHM = os.environ.get('SHM') or ('/dev/shm/strength' if shutil.disk_usage('/dev/shm').free > 25e9 else '/tmp/strength')
CUDA = torch.cuda.is_available()
assert CUDA or TINY
DEV = 'cuda' if CUDA else 'cpu'
torch.backends.cuda.matmul.allow_tf32 = True
os.makedirs(OUT, exist_ok=True); os.makedirs(SHM, exist_ok=True)
LOG = open(OUT + '/log.txt', 'a')
def say(*a):
    s = '%6.1f ' % (time.time() - T0) + ' '.join(str(x) for x in a)
    print(s, flush=True); LOG.write(s + '\n'); LOG.flush()
def left(): return LIMIT - (time.time() - T0)
def sync():
    if CUDA: torch.cuda.synchronize()
torch.manual_seed(int(os.environ.get('SEED', '1')))

# positions of our own play, made on the processors meanwhile
gens = [subprocess.Popen([HERE + '/fibslab', 'device', 'positions', str(9100 + 31 * i), str(GEN), f'{SHM}/g{i}']) for i in range(NPROC)]
so = SHM + '/board.so'
if CUDA:
    subprocess.check_call([shutil.which('nvcc') or '/usr/local/cuda/bin/nvcc', '-O3', '-arch=sm_90', '-shared', '-Xcompiler', '-fPIC', HERE + '/board.cu', '-o', so])
else:
    subprocess.check_call(['g++', '-O2', '-shared', '-fPIC', '-x', 'c++', HERE + '/board.cu', '-o', so])
lib = ctypes.CDLL(so)
say('built', torch.__version__, torch.cuda.get_device_name(0) if CUDA else 'cpu', os.cpu_count(), 'cpus')

def call(name, n, *args):
    a = [ctypes.c_ulonglong(n)]
    for x in args:
        if torch.is_tensor(x):
            assert x.is_contiguous(), name
            a.append(ctypes.c_void_p(x.data_ptr()))
        elif isinstance(x, float): a.append(ctypes.c_float(x))
        elif isinstance(x, tuple): a.append(ctypes.c_ulonglong(x[0]))
        else: a.append(ctypes.c_int(x))
    a.append(ctypes.c_void_p(torch.cuda.current_stream().cuda_stream if CUDA else 0))
    rc = getattr(lib, 'bg_' + name)(*a)
    if rc: raise RuntimeError(f'{name}: cuda error {rc}')

IN, WIDTHS = 208, [512, 512, 256, 128, 8] if CUDA else [32, 32, 16, 16, 8]
FEAT = torch.float16 if CUDA else torch.float32
CH = 1 << 16 if CUDA else 4096
feat_buf = torch.empty(1 << 17, IN, dtype=FEAT, device=DEV)
class Big:
    def __init__(s):
        s.p = []
        i = IN
        for o in WIDTHS:
            s.p += [(torch.randn(i, o, device=DEV) * math.sqrt(2 / i)).requires_grad_(), torch.zeros(o, device=DEV, requires_grad=True)]
            i = o
        with torch.no_grad(): s.p[-2].mul_(0.1)
        s.opt = torch.optim.Adam(s.p, lr=1e-3, **({'fused': True} if CUDA else {}))
        s.ema = [x.detach().clone() for x in s.p]
        s.use(s.p)
    def use(s, params): s.h = [x.detach().to(FEAT).contiguous() for x in params]
    def feats(s, boards):
        f = torch.empty(boards.shape[0], IN, dtype=FEAT, device=DEV)
        call('inputs', boards.shape[0] * 26, boards, f)
        return f
    @torch.no_grad()
    def infer(s, boards):
        m = boards.shape[0]
        out = torch.empty(m, 8, dtype=torch.float32, device=DEV)
        for at in range(0, m, CH):
            b = boards[at:at + CH]; k = b.shape[0]
            x = feat_buf[:k]
            call('inputs', k * 26, b, x)
            for i in range(4): x = torch._addmm_activation(s.h[2 * i + 1], x, s.h[2 * i])
            out[at:at + k] = torch.addmm(s.h[9], x, s.h[8])
        return out
    def step(s, boards, y, lr, decay):
        x = s.feats(boards).float()
        for i in range(4): x = torch.relu(torch.addmm(s.p[2 * i + 1], x, s.p[2 * i]))
        z = torch.addmm(s.p[9], x, s.p[8])[:, :5]
        loss = (torch.nn.functional.binary_cross_entropy_with_logits(z, y, reduction='none') * LW).sum(1).mean()
        s.opt.zero_grad(set_to_none=True); loss.backward()
        for g in s.opt.param_groups: g['lr'] = lr
        s.opt.step()
        with torch.no_grad():
            torch._foreach_mul_(s.ema, decay); torch._foreach_add_(s.ema, [x.detach() for x in s.p], alpha=1 - decay)
        return loss.detach()
    def save(s, path, params):
        with open(path + '.tmp', 'wb') as f:
            np.array([5], '<i4').tofile(f)
            for i in range(5):
                w, b = params[2 * i].detach().float().cpu().numpy(), params[2 * i + 1].detach().float().cpu().numpy()
                if i == 4: w, b = w[:, :5], b[:5]
                np.array([w.shape[1], w.shape[0]], '<i4').tofile(f)
                np.ascontiguousarray(w).astype('<f4').tofile(f); b.astype('<f4').tofile(f)
        os.replace(path + '.tmp', path)
    def load(s, path):
        with open(path, 'rb') as f, torch.no_grad():
            assert np.fromfile(f, '<i4', 1)[0] == 5
            for i in range(5):
                o, n = (int(v) for v in np.fromfile(f, '<i4', 2))
                assert (n, o) == (s.p[2 * i].shape[0], 5 if i == 4 else s.p[2 * i].shape[1]), 'another shape'
                s.p[2 * i][:, :o] = torch.from_numpy(np.fromfile(f, '<f4', n * o).reshape(n, o)).to(DEV)
                s.p[2 * i + 1][:o] = torch.from_numpy(np.fromfile(f, '<f4', o)).to(DEV)
            for e, x in zip(s.ema, s.p): e.copy_(x)
LW = torch.tensor([2, 1, .7, 1, .7], device=DEV)
MW = torch.tensor([2., 1, 1, -1, -1], device=DEV)
def chances(logits, boards):
    o = torch.empty(boards.shape[0], 5, device=DEV)
    call('chances_of', boards.shape[0], logits, logits.shape[1], boards, o)
    return o
def off(y, b, net):
    p = chances(net.infer(b), b)
    return '%.5f weighted, %.4f equity rms' % (float((((p - y) ** 2) * LW).sum(1).mean()), float((((p - y) * MW).sum(1) ** 2).mean().sqrt()))

for g in gens: assert g.wait() == 0
raw = [np.fromfile(f'{SHM}/g{i}', np.uint8).reshape(-1, 64) for i in range(NPROC)]
raw = np.concatenate(raw)
for i in range(NPROC): os.remove(f'{SHM}/g{i}')
sup_b = torch.from_numpy(np.ascontiguousarray(raw[:, :52])).to(DEV)
W, C = 408, 21  # width of the inputs; nets, as board.cu numbers them
sup_y = torch.from_numpy(np.ascontiguousarray(raw[:, 52:62]).view('<u2').astype(np.float32) / 65535).to(DEV)
sup_c = torch.from_numpy(np.ascontiguousarray(raw[:, 62])).to(DEV)
del raw
perm = torch.randperm(sup_b.shape[0], device=DEV)
sup_b, sup_y, sup_c = sup_b[perm].contiguous(), sup_y[perm].contiguous(), sup_c[perm].contiguous()
nv = min(100000, sup_b.shape[0] // 20)
val_b, val_y = sup_b[:nv].contiguous(), sup_y[:nv].contiguous()
tr = sup_b.shape[0] - nv
pool = sup_b[nv:][sup_c[nv:] < C].contiguous()
say('positions', sup_b.shape[0], 'of contact', pool.shape[0], 'by class', torch.bincount(sup_c.long(), minlength=C + 1).tolist())
if CUDA:  # the same plays as on a processor
    subprocess.check_call(['g++', '-O2', '-shared', '-fPIC', '-x', 'c++', HERE + '/board.cu', '-o', SHM + '/cpu.so'])
    cpu = ctypes.CDLL(SHM + '/cpu.so'); k = 3000
    P = lambda a: ctypes.c_void_p(a.ctypes.data)
    hb = val_b[:k].cpu().numpy(); hc = np.zeros(k * 21, np.int32)
    cpu.bg_count(ctypes.c_ulonglong(k * 21), P(hb), P(hc), None)
    ho = np.zeros(k * 21 + 1, np.int64); ho[1:] = np.cumsum(hc); hs = np.zeros((int(ho[-1]), 52), np.uint8)
    cpu.bg_write(ctypes.c_ulonglong(k * 21), P(hb), P(ho), P(hs), None)
    dc = torch.empty(k * 21, dtype=torch.int32, device=DEV); call('count', k * 21, val_b[:k].contiguous(), dc)
    ds = torch.empty(int(ho[-1]), 52, dtype=torch.uint8, device=DEV)
    call('write', k * 21, val_b[:k].contiguous(), torch.from_numpy(ho).to(DEV), ds)
    assert (dc.cpu().numpy() == hc).all() and (ds.cpu().numpy() == hs).all(), 'the device generates other plays'
    hf = np.zeros((k, 208), np.float32); cpu.bg_inputs(ctypes.c_ulonglong(k * 26), P(hb), P(hf), None)
    net_f = torch.empty(k, 208, dtype=FEAT, device=DEV); call('inputs', k * 26, val_b[:k].contiguous(), net_f)
    assert np.abs(net_f.float().cpu().numpy() - hf).max() < 2e-3, 'other inputs'
    say('plays and inputs as on a processor:', int(ho[-1]), 'results')

# the nets of the program, C of one shape
TABLES = torch.zeros(lib.bg_tables(None), dtype=torch.uint8)
lib.bg_tables(ctypes.c_void_p(TABLES.data_ptr()))
TABLES = TABLES.to(DEV)
SHAPES = [('F', 404, 512), ('b', 512), ('M', 512, 32), ('m', 32), ('O', 5, 32), ('o', 5)]
def class_of(boards):
    o = torch.empty(boards.shape[0], dtype=torch.uint8, device=DEV)
    call('class_of', boards.shape[0], boards, o)
    return o
def inputs_of(boards):
    k = boards.shape[0]
    X = torch.empty(k, W, dtype=FEAT, device=DEV)
    call('sparse', k * 42, boards, X); call('computed', k * 2, TABLES, boards, X)
    return X
class Own:
    def __init__(s, race):
        subprocess.check_call([HERE + '/fibslab', 'device', 'export', SHM + '/w'])
        flat = torch.from_numpy(np.fromfile(SHM + '/w', '<f4')).view(C, -1)
        s.p, at = [], 0
        for name, *shape in SHAPES:
            k = int(np.prod(shape)); x = flat[:, at:at + k].reshape(C, *shape); at += k
            if name == 'F': x = torch.cat([x, torch.zeros(C, W - 404, 512)], 1)
            s.p.append(x.clone().to(DEV).requires_grad_())
        assert at == flat.shape[1]
        s.race = race # judges what has no contact
        s.again()
        s.use(s.p)
    def again(s): # a fresh optimiser and mean
        s.opt = torch.optim.Adam(s.p, lr=1e-4, **({'fused': True} if CUDA else {}))
        s.ema = [x.detach().clone() for x in s.p]
    def use(s, params): s.h = [x.detach().to(FEAT).contiguous() for x in params]
    def forward(s, q, X):
        h = torch.baddbmm(q[1][:, None], X, q[0]).clamp(0, 1).square()
        h = torch.baddbmm(q[3][:, None], h, q[2]).clamp(0, 1).square()
        return torch.baddbmm(q[5][:, None], h, q[4].transpose(1, 2))
    @torch.no_grad()
    def infer(s, boards):
        cls = class_of(boards)
        sizes = torch.bincount(cls.long(), minlength=C + 1).tolist()
        order = torch.sort(cls)[1]
        b = boards[order]
        z = torch.zeros(b.shape[0], 8, dtype=torch.float32, device=DEV)
        end = 0
        for c, size in enumerate(sizes):
            start, end = end, end + size
            if c == C:
                if size: z[start:end] = s.race.infer(b[start:end])
                break
            for at in range(start, end, CH):
                k = min(CH, end - at)
                h = torch.addmm(s.h[1][c], inputs_of(b[at:at + k]), s.h[0][c]); call('square', h.numel(), h)
                h = torch.addmm(s.h[3][c], h, s.h[2][c]); call('square', h.numel(), h)
                z[at:at + k, :5] = torch.addmm(s.h[5][c], h, s.h[4][c].t())
        out = torch.empty_like(z)
        out[order] = z
        return out
    def take(s, loss, lr, decay):
        s.opt.zero_grad(set_to_none=True); loss.backward()
        for g in s.opt.param_groups: g['lr'] = lr
        s.opt.step()
        with torch.no_grad():
            torch._foreach_mul_(s.ema, decay); torch._foreach_add_(s.ema, [x.detach() for x in s.p], alpha=1 - decay)
    def save(s, path, params):
        with open(path + '.tmp', 'wb') as f:
            for c in range(C):
                for i, (name, *shape) in enumerate(SHAPES):
                    np.ascontiguousarray(params[i][c].detach().float().cpu().numpy()[:shape[0]]).astype('<f4').tofile(f)
        os.replace(path + '.tmp', path)
def cross(z, y): return torch.nn.functional.binary_cross_entropy_with_logits(z, y, reduction='none') * LW
if CUDA: # computed inputs as on a processor: selfplay's are then those of the engine (device_test.go)
    assert (class_of(val_b) == sup_c[:nv]).all(), 'other classes'
race = Big()
own = Own(race)
e = ((chances(own.infer(val_b), val_b) - val_y) * MW).sum(1)[sup_c[:nv] < C]
e = float((e ** 2).mean().sqrt())
say('the nets of the program say the same here: equity rms %.5f of %d' % (e, int((sup_c[:nv] < C).sum())))
assert e < 0.01, 'the nets of the program are evaluated otherwise here'

# 1. supervised start
net = race if PLAYER == 'own' else Big()
B = 16384 if CUDA else 64
def cosine(f, hi, lo): return lo + (hi - lo) * 0.5 * (1 + math.cos(math.pi * min(1, max(0, f))))
picks = torch.arange(nv, nv + tr, device=DEV)
if PLAYER == 'own': picks = picks[sup_c[nv:] == C] # races alone
t1, n = time.time(), 0
if os.environ.get('FROM'): net.load(os.environ['FROM']); SUP = 0
while True:
    f = (time.time() - t1) / SUP if SUP > 0 else 1
    if f >= 1: break
    for _ in range(20 if CUDA else 2):
        i = picks[torch.randint(0, picks.shape[0], (B,), device=DEV)]
        loss = net.step(sup_b[i], sup_y[i], cosine(f, 1e-3, 2e-5) * min(1, (n + 1) / 200), 0.995)
        n += 1
    sync()
net.use(net.ema)
seen = sup_c[:nv] == C if PLAYER == 'own' else sup_c[:nv] <= C
say('supervised:', n, 'steps of', B, 'off our static value by', off(val_y[seen], val_b[seen], net))
net.save(OUT + '/fit.bin', net.ema)
with torch.no_grad():
    for p, e in zip(net.p, net.ema): p.copy_(e)
if PLAYER == 'own': net = own

if CUDA:
    big = sup_b[:1 << 20]; times = {}
    for c in (1 << 14, 1 << 15, 1 << 16, 1 << 17):
        CH = c; net.infer(big); sync(); t = time.time(); net.infer(big); net.infer(big); sync(); times[c] = (time.time() - t) / 2
    CH = min(times, key=times.get)
    say('million evaluations a second by chunk', {c: round(big.shape[0] / t / 1e6, 1) for c, t in times.items()})
# 2. self-play with exact backups
N, NS, TS = (8192, 4096, 12) if CUDA else (12, 6, 3)
NT = N + NS
WR = torch.tensor([1. if a == b else 2. for a in range(1, 7) for b in range(1, a + 1)], device=DEV) / 36
START = torch.zeros(52, dtype=torch.uint8, device=DEV)
for o in (0, 26):
    for i, c in ((5, 5), (7, 3), (12, 5), (23, 2)): START[o + i] = c
def from_pool(n): return pool[torch.randint(0, pool.shape[0], (n,), device=DEV)]
S, side = from_pool(N), from_pool(NS)
natural = torch.rand(N, device=DEV) < 0.5
turn = torch.randint(0, 24, (N,), device=DEV)
SIG = torch.tensor([0., 0., 0., 0., 0., .03, .03, .03, .1, .1], device=DEV)
sigma = SIG[torch.randint(0, 10, (N,), device=DEV)]
pairs = torch.zeros(NS, dtype=torch.bool, device=DEV)
class Recent:
    """What was valued last: boards and targets."""
    def __init__(s, room): s.room, s.filled, s.head = room, 0, 0; s.b, s.y = torch.empty(room, 52, dtype=torch.uint8, device=DEV), torch.empty(room, 5, device=DEV)
    def push(s, b, y):
        i = (torch.arange(b.shape[0], device=DEV) + s.head) % s.room
        s.b[i] = b; s.y[i] = y
        s.head = (s.head + b.shape[0]) % s.room; s.filled = min(s.room, s.filled + b.shape[0])
    def draw(s, n): return torch.randint(0, max(1, s.filled), (n,), device=DEV)
recent = [Recent(1200000 if CUDA else 2000) for c in range(C)] if PLAYER == 'own' else [Recent(6000000 if CUDA else 4000)]
def push(b, y):
    if PLAYER == 'big': return recent[0].push(b, y)
    cls = class_of(b)
    for c in range(C):
        i = torch.nonzero(cls == c).flatten()
        if len(i): recent[c].push(b[i], y[i])
OB = 1024 if CUDA else 16 # positions a step and net
def learn(lr):
    if PLAYER == 'big':
        i = recent[0].draw(B)
        return net.step(recent[0].b[i], recent[0].y[i], lr, 0.999)
    draws = [r.draw(OB) for r in recent]
    b, y = torch.cat([r.b[i] for r, i in zip(recent, draws)]), torch.stack([r.y[i] for r, i in zip(recent, draws)])
    has = torch.tensor([float(r.filled > 0) for r in recent], device=DEV)
    z = net.forward(net.p, inputs_of(b).float().view(C, OB, W))
    net.take((cross(z, y).sum(2).mean(1) * has).sum(), lr, 0.999)
arN = torch.arange(N, device=DEV)
plays = 0
@torch.no_grad()
def advance(seed):
    """One turn of all games: the states, their values, their backups, whether the trace goes on."""
    global S, side, natural, turn, sigma, pairs, plays
    A = torch.cat([S, side]); ok = pairs
    V = chances(net.infer(A), A)
    counts = torch.empty(NT * 21, dtype=torch.int32, device=DEV)
    call('count', NT * 21, A, counts)
    offs = torch.zeros(NT * 21 + 1, dtype=torch.int64, device=DEV)
    torch.cumsum(counts, 0, out=offs[1:])
    m = int(offs[-1]); plays += m
    succ = torch.empty(m, 52, dtype=torch.uint8, device=DEV)
    call('write', NT * 21, A, offs, succ)
    logits = net.infer(succ)
    best = torch.empty(NT * 21, dtype=torch.int64, device=DEV); vec = torch.empty(NT * 21, 5, device=DEV)
    call('reduce', NT * 21, offs, logits, 8, succ, best, vec)
    T = (vec.view(NT, 21, 5) * WR[:, None]).sum(1)
    roll = torch.multinomial(WR, N, replacement=True).to(torch.int32)
    played = torch.empty(N, dtype=torch.int64, device=DEV); other = torch.empty(N, dtype=torch.int64, device=DEV)
    call('play', N, roll, sigma, offs, logits, 8, succ, (seed,), 0.1, played, other)
    right = best.view(NT, 21)[arN, roll.long()] == played
    S2 = succ[played]
    info = torch.empty(N, dtype=torch.uint8, device=DEV); call('info', N, S2, info)
    over, touch = (info & 1) > 0, (info & 2) > 0
    turn = turn + 1
    new = over | (~touch & (torch.rand(N, device=DEV) < (0.7 if PLAYER == 'big' else 1.1))) | (~natural & (turn >= 24))
    cont = right & ~new
    nat = torch.rand(N, device=DEV) < 0.5
    fresh = torch.where(nat[:, None], START[None], from_pool(N))
    S = torch.where(new[:, None], fresh, S2)
    natural = torch.where(new, nat, natural); turn = torch.where(new, torch.zeros_like(turn), turn)
    sigma = torch.where(new, SIG[torch.randint(0, 10, (N,), device=DEV)], sigma)
    o = other[:NS]; pairs = (o >= 0) & ~new[:NS]
    side = torch.where((o >= 0)[:, None], succ[o.clamp(min=0)], from_pool(NS))
    sinfo = torch.empty(NS, dtype=torch.uint8, device=DEV); call('info', NS, side, sinfo)
    gone = (sinfo & 1) > 0
    pairs = pairs & ~gone
    side = torch.where(gone[:, None], from_pool(NS), side)
    return A, V, T, cont, ok
store, seg, labelled = [], 0, 0
HI = float(os.environ.get('RATE', '3e-4' if PLAYER == 'big' else '1e-4'))
NAME = '/big.bin' if PLAYER == 'big' else '/nets.bin'
t2 = time.time(); TD = max(left() - STU, 1); shown = t2; saved = t2; tsim = 0.0; ttrain = 0.0
mean_d = []
while True:
    f = (time.time() - t2) / TD
    if f >= 1: break
    lam = 0.8 - 0.4 * f
    s0 = time.time()
    rec = [advance(seg * 1000 + t + 1) for t in range(TS)]
    acc = torch.zeros(N, 5, device=DEV)
    targets = []
    for t in reversed(range(TS)):
        A, V, T, cont, ok = rec[t]
        d = T[:N] - V[:N]
        fl = torch.stack([-acc[:, 0], acc[:, 3], acc[:, 4], acc[:, 1], acc[:, 2]], 1)
        acc = d + lam * cont[:, None] * fl
        targets.append((A, torch.cat([(V[:N] + acc).clamp(0, 1), T[N:]])))
    push(torch.cat([b for b, y in targets]), torch.cat([y for b, y in targets]))
    mean_d.append(((T[:N] - V[:N]) * MW).sum(1).abs().mean())
    labelled += TS * NT
    room = STORE / (NT * TS)
    if len(store) >= room: store.pop(0)
    if f > 0.3 or TINY: store.append([(A, T, ok) for A, V, T, cont, ok in rec])
    sync(); s1 = time.time(); tsim += s1 - s0
    if seg == 0:
        say('first segment: %.2f s, mean difference %.4f' % (tsim, float(mean_d[0])))
        assert TINY or mean_d[0] < 0.1, 'backups and values do not go together'
    if min(r.filled for r in recent) > (B if CUDA else 0):
        for _ in range(max(1, int(TS * NT * 4 / (B if PLAYER == 'big' else C * OB)))): learn(cosine(f, HI, 4e-6))
        net.use(net.ema if f > 0.5 else net.p)
    sync(); ttrain += time.time() - s1
    seg += 1
    if time.time() - shown > (15 if CUDA else 5):
        shown = time.time()
        say('td %.2f: %d labelled, %.0f a second, %.1fM plays a second; simulation %.1f s, fitting %.1f s; mean difference %.4f; %s from our static value; %d segments kept' % (
            f, labelled, labelled / (shown - t2), plays / tsim / 1e6, tsim, ttrain, float(torch.stack(mean_d[-20:]).mean()), off(val_y, val_b, net), len(store)))
    if time.time() - saved > 60:
        saved = time.time(); net.save(OUT + NAME, net.ema)
net.save(OUT + NAME, net.ema)
net.use(net.ema)
say('td done:', labelled, 'labelled;', off(val_y, val_b, net))

# 3. the program's own nets
b = torch.cat([A for s in store for A, T, ok in s]); y = torch.cat([T for s in store for A, T, ok in s])
okp = torch.cat([ok for s in store for A, T, ok in s])
steps = sum(len(s) for s in store)
first = (torch.arange(steps, device=DEV) * NT)[:, None] + torch.arange(NS, device=DEV)[None]
pa = first.reshape(-1)[okp]; pb = pa + N
del store, recent
n = b.shape[0]
cls = class_of(b)
say(n, 'positions;', pa.shape[0], 'pairs')
gen_hold = torch.rand(n, device=DEV) < 0.01
same = cls[pa] == cls[pb]
pa, pb = pa[same], pb[same]
free = ~(gen_hold[pa] | gen_hold[pb]); pa, pb = pa[free], pb[free]
idx = [torch.nonzero((cls == c) & ~gen_hold).flatten() for c in range(C)]
pidx = [torch.nonzero(cls[pa] == c).flatten() for c in range(C)]
hold = [torch.nonzero((cls == c) & gen_hold).flatten()[:20000] for c in range(C)]
say('by class', [len(i) for i in idx], 'pairs', [len(i) for i in pidx])
if PLAYER == 'own':
    with torch.no_grad():
        for p, e in zip(own.p, own.ema): p.copy_(e)
own.again()
def fwd(q, i):  # i: [C, k] indices
    return own.forward(q, inputs_of(b[i.reshape(-1)]).float().view(C, -1, W))
@torch.no_grad()
def report(what, q):
    r = []
    for c in range(C):
        if len(hold[c]) < 2: r.append('-'); continue
        i = hold[c][None].expand(C, -1)
        p = torch.sigmoid(fwd(q, i)[c]); e = p - y[hold[c]]
        r.append('%.5f/%.4f' % (float(((e ** 2) * LW).sum(1).mean()), float(((e * MW).sum(1) ** 2).mean().sqrt())))
    say(what, ' '.join(r))
report('start:', own.p)
B1, PN = (2048, 1024) if CUDA else (32, 16)
def draw(lists, k): return torch.stack([l[torch.randint(0, len(l), (k,), device=DEV)] if len(l) else torch.zeros(k, dtype=torch.long, device=DEV) for l in lists])
t3 = time.time(); FIT = max(left() - 12, 1); shown = saved = t3; k = 0
has = torch.tensor([float(len(l) > 0) for l in idx], device=DEV); hasp = torch.tensor([float(len(l) > 0) for l in pidx], device=DEV)
while True:
    f = (time.time() - t3) / FIT
    if f >= 1: break
    for _ in range(10 if CUDA else 1):
        i1 = draw(idx, B1)
        j = draw(pidx, PN)
        i = torch.cat([i1, pa[j], pb[j]], 1) if len(pa) else i1
        yy = y[i.reshape(-1)].view(C, -1, 5)
        z = fwd(own.p, i)
        loss = (cross(z, yy).sum(2).mean(1) * has).sum()
        if len(pa):
            e = ((torch.sigmoid(z[:, B1:]) - yy[:, B1:]) * MW).sum(2)
            d = (e[:, :PN] - e[:, PN:]) ** 2
            loss = loss + ((d.sum(1) / i.shape[1]) * hasp).sum()
        own.take(loss, cosine(f, float(os.environ.get('SLR', '4e-4' if PLAYER == 'big' else '1e-4')), 1e-6) * min(1, (k + 1) / 500), 0.998); k += 1
    sync()
    if time.time() - shown > (15 if CUDA else 5):
        shown = time.time(); report('nets %.2f, %d steps:' % (f, k), own.ema)
    if time.time() - saved > 40: saved = time.time(); own.save(OUT + '/nets.bin', own.ema)
report('nets done, %d steps:' % k, own.ema)
own.save(OUT + '/nets.bin', own.ema)
say('all done')
