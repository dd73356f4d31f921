import assert from 'node:assert/strict';
import { it } from 'node:test';
import { parseCommandLine } from './command-line.js';
import { textOf } from './text-of.testing.js';

const fork = {
  action: 'fork',
  scope: {},
  at: undefined,
  name: undefined,
  port: undefined,
  file: undefined,
  sharesCredentials: false,
  list: false,
  remove: undefined,
} as const;

it('the commands of the history take points and targets', () => {
  assert.deepEqual(parseCommandLine(['log', 'deploy/web', '-n', 'shop', '--since', '10m', '--by=ann', '-p']), {
    command: 'history',
    request: {
      action: 'log',
      scope: { namespace: 'shop' },
      target: { kind: 'deploy', name: 'web' },
      since: { type: 'ago', milliseconds: 600_000 },
      until: undefined,
      by: 'ann',
      field: undefined,
      patch: true,
      follow: false,
      limit: 50,
    },
  });
  assert.deepEqual(parseCommandLine(['diff', '5', '2026-11-28T10:05:00Z', '-A', '--kubeconfig=a']), {
    command: 'history',
    request: {
      action: 'diff',
      scope: { allNamespaces: true, kubeconfig: 'a' },
      from: { type: 'revision', text: '5' },
      to: { type: 'time', text: '2026-11-28T10:05:00Z' },
      target: undefined,
    },
  });
  assert.deepEqual(parseCommandLine(['revert', '5', '--dry-run']), {
    command: 'history',
    request: { action: 'revert', scope: {}, revisions: ['5'], target: undefined, force: false, dryRun: true },
  });
  assert.deepEqual(parseCommandLine(['revert', '5', '7', 'deploy/web']), {
    command: 'history',
    request: {
      action: 'revert',
      scope: {},
      revisions: ['5', '7'],
      target: { kind: 'deploy', name: 'web' },
      force: false,
      dryRun: false,
    },
  });
  assert.match(textOf('revert', 'deploy/web'), /"deploy\/web" is not a resourceVersion/);
  assert.match(textOf('revert', '5', 'deploy', '7'), /"deploy" is not a resourceVersion/);
  assert.match(textOf('get', 'deploy'), /^wrong: binnacle: --at is missing: give a resourceVersion, a time/);
  assert.match(textOf('get', 'deploy', '--at=5', '-o', 'wide'), /"wide" is not yaml or json; see binnacle get --help/);
  assert.match(textOf('blame', 'deploy'), /"deploy" is not KIND\/NAME/);
  assert.match(textOf('show', 'x'), /"x" is not a resourceVersion/);
  assert.match(textOf('diff', '5', 'Yesterday'), /"Yesterday" is not a resourceVersion, a time/);
  const scope = {};
  const snapshot = { action: 'snapshot', scope, name: undefined, at: undefined, remove: false };
  const at = { type: 'revision', text: '7' };
  for (const [args, request] of [
    [['snapshot'], snapshot],
    [['snapshot', 'before', '--at', '7'], { ...snapshot, name: 'before', at }],
    [['snapshot', 'before', '--delete'], { ...snapshot, name: 'before', remove: true }],
    [['fork'], fork],
    [['fork', 'before', '--out=a'], { ...fork, at: { type: 'snapshot', text: 'before' }, file: 'a' }],
    [
      ['fork', '7', '--name=a', '--port=7443', '--share-credentials'],
      { ...fork, at, name: 'a', port: 7443, sharesCredentials: true },
    ],
    [['fork', '--list'], { ...fork, list: true }],
    [['fork', '--delete', 'a'], { ...fork, remove: 'a' }],
    [
      ['bisect', '--good', '7', '--bad=7', '--', 'sh', '-c', 'true'],
      { action: 'bisect', scope, good: at, bad: at, command: ['sh', '-c', 'true'] },
    ],
  ] as const) {
    assert.deepEqual(parseCommandLine([...args]), { command: 'history', request }, args.join(' '));
  }
  for (const [args, message] of [
    [['snapshot', '--delete'], /NAME is missing/],
    [['snapshot', '7'], /"7" is not a DNS label/],
    [['snapshot', 'a', '--delete', '--at=7'], /--delete and --at exclude each other/],
    [['fork', '--list', '--name=a'], /exclude each other/],
    [['fork', '--list', '--delete=a'], /exclude each other/],
    [['fork', '--name=A'], /"A" is not a DNS label/],
    [['fork', '--port=70000'], /--port "70000" is not a port/],
    [['fork', '--delete='], /--delete is empty/],
    [['bisect', '--good=7', '--', 'true'], /--bad is missing/],
    [['bisect', '--good=7', '--bad=8'], /missing required argument 'COMMAND'/],
    [['log', '-f', '--until=7'], /--follow and --until exclude each other/],
  ] as const) {
    assert.match(textOf(...args), message);
  }
  assert.match(textOf('log', '-n', 'a', '-A'), /exclude each other/);
  assert.match(textOf('log', '--limit=0'), /"0" is not 1 or more/);
});
