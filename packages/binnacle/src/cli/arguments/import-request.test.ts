import assert from 'node:assert/strict';
import { it } from 'node:test';
import { parseCommandLine } from './command-line.js';
import { textOf } from './text-of.testing.js';

const plain = { withSecrets: false, overwrite: false, dryRun: false };
const exporting = (...args: readonly string[]) => {
  const request = parseCommandLine(['export', ...args]);
  return request.command === 'history' && request.request.action === 'export' ? request.request : undefined;
};

it('reads the arguments of binnacle import', () => {
  const found = (request: object) => ({ command: 'import', request });
  assert.deepEqual(parseCommandLine(['import', 'a', 'b']), found({ from: { paths: ['a', 'b'] }, to: {}, ...plain }));
  assert.deepEqual(
    parseCommandLine([
      'import',
      '--from-kubeconfig=f',
      '--context',
      'c',
      '--secrets',
      '--overwrite',
      '--dry-run=server',
      '-o',
      'json',
    ]),
    found({
      from: { server: { kubeconfig: 'f' } },
      to: { context: 'c' },
      withSecrets: true,
      overwrite: true,
      dryRun: true,
      output: 'json',
    }),
  );
  assert.match(textOf('import'), /no PATH, --from-kubeconfig or --from-context is given/);
  assert.match(textOf('import', 'a', '--from-context', 'b'), /PATH excludes/);
  assert.match(textOf('import', 'a', '--dry-run=client'), /Allowed choices are server/);
});

it('reads where binnacle export writes to', () => {
  assert.deepEqual(exporting('--at', '5')?.transfer, undefined);
  assert.deepEqual(exporting('--to', 'dir', '--secrets')?.transfer, {
    from: {},
    to: { folder: 'dir' },
    withSecrets: true,
    overwrite: false,
    dryRun: false,
  });
  assert.deepEqual(exporting('--to', 'dir', '--at', '5')?.at, { type: 'revision', text: '5' });
  assert.deepEqual(exporting('--to-context', 'c', '--overwrite', '--dry-run', 'server', '-o', 'json')?.transfer, {
    from: {},
    to: { server: { context: 'c' } },
    withSecrets: false,
    overwrite: true,
    dryRun: true,
    output: 'json',
  });
  assert.match(textOf('export'), /--at is missing/);
  assert.deepEqual(exporting('--from', 'a.db', '--to-snapshot', 'b.db')?.transfer, {
    from: { path: 'a.db' },
    to: { snapshot: 'b.db' },
    ...plain,
  });
  assert.deepEqual(exporting('--context', 'a', '--to', 'dir')?.transfer?.from, { context: 'a' });
  assert.match(textOf('export', '-o', 'json', '--at', '5'), /--output needs --to/);
  assert.match(textOf('export', '--from', 'a', '--at', '5'), /--from needs --to/);
  assert.match(textOf('export', '--from', 'a', '--to', 'b', '-n', 'c'), /--from excludes/);
  assert.match(textOf('export', '--from', 'a', '--to', 'b', '--context', 'c'), /exclude each other/);
  assert.match(textOf('export', '--to', 'a', '--to-snapshot', 'b'), /exclude each other/);
  assert.match(textOf('export', '--to-snapshot', 'b', '-n', 'c'), /a snapshot is that of a whole cluster/);
  assert.equal(exporting('--secrets', '--at', '5')?.withSecrets, true);
  assert.match(textOf('export', 'deploy', '--to', 'dir'), /TARGET cannot be given/);
  assert.match(textOf('export', '--to', 'dir', '--dry-run', 'server'), /--to and --to-snapshot exclude/);
  assert.match(textOf('export', '--to', 'dir', '--overwrite'), /--to and --to-snapshot exclude/);
  assert.match(textOf('export', '--at', '5', '--overwrite'), /--overwrite needs --to/);
  assert.match(textOf('export', '--to-context', 'c', '--dry-run', 'client'), /is not server/);
});
