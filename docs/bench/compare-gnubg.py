"""gnubg's half of compare-gnubg.sh. Runs inside gnubg: gnubg -t -q -r -p compare-gnubg.py

COMPARE names a JSON file: {"decisions": [[position id, die, die], ...], "rollouts": [position id, ...],
"trials": n, "match": path or "", "plays": [[position id, die, die], ...]}; the answer goes to COMPARE_OUT. Times are seconds of processor time of this process.
"""
import json, os, resource
import gnubg

ask = json.load(open(os.environ['COMPARE']))
answer = {}


def run(*lines):
    for line in lines:
        gnubg.command(line)


def clock():
    u = resource.getrusage(resource.RUSAGE_SELF)
    return u.ru_utime + u.ru_stime


run('set confirm new off', 'set confirm save off', 'set display off', 'set output rawboard on',
    'set automatic roll off', 'set automatic game off', 'set automatic crawford off', 'set automatic doubles 0',
    'set player 0 human', 'set player 1 human', 'set threads 1', 'set jacoby off', 'set gotofirstgame off')
# Level world class: 2 plies, filter normal, pruning nets, no noise.
for what in ('evaluation', 'analysis'):
    for part in ('chequerplay', 'cubedecision'):
        run(*('set %s %s evaluation %s' % (what, part, s) for s in ('plies 2', 'cubeful on', 'prune on', 'noise 0')))
    run('set %s movefilter 2 0 0 8 0.16' % what, 'set %s movefilter 2 1 -1' % what)

# Whole decisions at 0 plies, cubeless: generation, inputs, net, choice. Each once, so the cache helps as in play.
run('new session')
at_0, cube = dict(gnubg.evalcontext(), plies=0, cubeful=0), gnubg.cubeinfo(1, -1, 1, 0, (0, 0), 0)
boards = [(gnubg.positionfromid(id), (a, b)) for id, a, b in ask['plays']]
t = clock()
for board, dice in boards:
    gnubg.findbestmove(board, cube, at_0, dice)
answer['plays'] = clock() - t

run('new session')
times, best = [], []
for id, a, b in ask['decisions']:
    run('set turn 1', 'set board ' + id, 'set dice %d %d' % (a, b))
    gnubg.command('clear hint')
    t = clock()
    h = gnubg.hint(1)
    times.append(clock() - t)
    best.append(h['hint'][0]['equity'] if h and h.get('hint') else None)
answer['decisions'], answer['equities'] = times, best

run('set rollout trials %d' % ask['trials'], 'set rollout varredn on', 'set rollout quasirandom on', 'set rollout cubeful on',
    'set rollout truncation enable off', 'set rollout bearofftruncation exact on', 'set rollout bearofftruncation onesided off',
    'set rollout initial off', 'set rollout late enable off', 'set rollout limit enable off', 'set rollout jsd stop off', 'set rollout seed 1',
    'set rollout rng mersenne')
for player in (0, 1):
    for part in ('chequerplay', 'cubedecision'):
        run('set rollout player %d %s plies 0' % (player, part), 'set rollout player %d %s cubeful on' % (player, part),
            'set rollout player %d %s noise 0' % (player, part))
answer['rollouts'] = []
for id in ask['rollouts']:
    run('new session', 'set turn 1', 'set board ' + id)
    t = clock()
    run('rollout')
    answer['rollouts'].append(clock() - t)

if ask['match']:
    run('new session', 'import mat ' + ask['match'])
    t = clock()
    run('analyse match')
    answer['match'] = clock() - t

json.dump(answer, open(os.environ['COMPARE_OUT'], 'w'))
