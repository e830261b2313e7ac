#!/usr/bin/env python3
"""table.py FIGURES: what run.sh gathered -> one Markdown table, CPU ms, with our share of each peer's time.

The rows and their targets are those of DESIGN.md section 7, and the cold start of a run."""
import json, re, sys

ours, peers, silent = {}, {}, {}
for line in open(sys.argv[1]):
    if m := re.match(r'(.+?) +parse\+compile +([\d.]+) ms +run +([\d.]+) ms +all +([\d.]+) ms', line):
        ours[m[1]] = float(m[3])
        ours[m[1] + ', cold'] = float(m[4])
    elif m := re.match(r' *(g_\w+) \(\d+, \d+\) +(\S+) +(\d+) +(\w+) +(\d+) +([\d.]+) ', line):
        ours[m[1]] = float(m[6])
        ours[m[1] + ' says'] = f'{m[2]} loops' if m[4] == 'true' else f'{m[2]} loops, the {m[3]} shortest, `complete: false`'
    elif m := re.match(r'(\w+) (\w+): (no answer within .*)', line):
        silent[m[1], m[2]] = m[3]
    elif line.startswith('{'):
        r = json.loads(line)
        if 'engine' in r:
            model = r['model'].removesuffix('.xmile')
            peers[r['engine'], model] = (r['cpu_min_ms'], '')
            if 'first_run_cpu_ms' in r:
                peers[r['engine'], model + ' cold'] = (r['load_cpu_ms'] + r['first_run_cpu_ms'], '')
        elif r.get('complete', True) and r['cycles']:
            peers[r['tool'], r['graph']] = (r['cpu_ms'], '')
        else:
            said = f'given up after {r["cycles"]} loops' if r['cycles'] else 'an empty list'
            peers[r['tool'], r['graph']] = (r['cpu_ms'], said)

NAMES = {'pysimlin': 'pysimlin', 'simlin': 'pysimlin', 'pysd': 'PySD', 'bptk_rust': 'BPTK (Rust)', 'nx': 'networkx'}
# Ours, the peer's part, the peers, and the targets: milliseconds, or a share of pysimlin's time.
ROWS = [
    ('SIR, 10,000 steps', 'sir_long', ['pysimlin', 'bptk_rust', 'pysd'], 1.0, 0.5),
    ('chain of 1,000, 1,000 steps', 'chain1000', ['pysimlin', 'bptk_rust', 'pysd'], 1.0, 0.5),
    ('SIR, 10,000 steps, cold', 'sir_long cold', ['pysimlin'], '1 ms', None),
    ('g_20_3', 'g_20_3', ['nx', 'simlin'], '5 ms', '2 ms'),
    ('g_50_3', 'g_50_3', ['nx', 'simlin'], '300 ms', '100 ms'),
]


def digits(value):
    return f'{value:.3g}' if value < 1000 else f'{value:,.0f}'


def beside(tool, part, mine):
    if (tool, part) not in peers:
        return f'{NAMES[tool]}: {silent.get((tool, part), "not run")}'
    ms, said = peers[tool, part]
    share = f' ({digits(mine / ms)})' if mine and ms and not said else ''
    return f'{NAMES[tool]} {digits(ms)}{share}' + (f': {said}' if said else '')


def verdict(mine, target, part):
    """Whether a target is met, where it can be told."""
    if target is None:
        return '-'
    if isinstance(target, str):
        bound, text = float(target.split()[0]), target
    else:
        bound, text = target * peers.get(('pysimlin', part), (float('nan'),))[0], f'{target:g} x pysimlin'
    if mine is None or bound != bound:
        return f'{text}: not told'
    return f'{text}: {"met" if mine <= bound else "MISSED"}'


print('| what | Meadow, CPU ms | beside it, CPU ms (our share) | must | stretch |\n|---|---|---|---|---|')
missed = False
for name, part, tools, must, stretch in ROWS:
    mine = ours.get(name)
    shown = 'not run' if mine is None else digits(mine)
    title = ours.get(name + ' says', name)
    verdicts = [verdict(mine, target, part) for target in (must, stretch)]
    missed |= mine is None or 'MISSED' in verdicts[0]
    print(f'| {title} | {shown} | {"; ".join(beside(tool, part, mine) for tool in tools)} | {" | ".join(verdicts)} |')
sys.exit(missed)
