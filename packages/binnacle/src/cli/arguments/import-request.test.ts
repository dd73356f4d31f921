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
    to: { folder: 'dir' },
    withSecrets: true,
    overwrite: false,
    dryRun: false,
  });
  assert.deepEqual(exporting('--to', 'dir', '--at', '5')?.at, { type: 'revision', text: '5' });
  assert.deepEqual(exporting('--to-context', 'c', '--overwrite', '--dry-run', 'server', '-o', 'json')?.transfer, {
    to: { server: { context: 'c' } },
    withSecrets: false,
    overwrite: true,
    dryRun: true,
    output: 'json',
  });
  assert.match(textOf('export'), /--at is missing/);
  assert.match(textOf('export', '-o', 'json', '--at', '5'), /need --to/);
  assert.equal(exporting('--secrets', '--at', '5')?.withSecrets, true);
  assert.match(textOf('export', 'deploy', '--to', 'dir'), /TARGET cannot be given/);
  assert.match(textOf('export', '--to', 'dir', '--dry-run', 'server'), /--to excludes/);
  assert.match(textOf('export', '--to', 'dir', '--overwrite'), /--to excludes/);
  assert.match(textOf('export', '--at', '5', '--overwrite'), /need --to/);
  assert.match(textOf('export', '--to-context', 'c', '--dry-run', 'client'), /is not server/);
});
