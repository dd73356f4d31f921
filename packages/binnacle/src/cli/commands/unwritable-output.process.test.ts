import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { loadConfig } from '@binnacle/client/kubeconfig';
import { connect, readBody } from '@binnacle/client/transport';

const main = fileURLToPath(new URL('../../../bundle/cli/main.js', import.meta.url));
/** Each write to it fails like one to a full disk. */
const FULL = '/dev/full';

for (const [what, flags] of [
  ['a server', []],
  ['a server with workers', ['--workers=2']],
] as const) {
  it(
    `${what} starts, serves and stops while the disk of its log is full`,
    {
      timeout: 600_000,
      skip: !existsSync(FULL) && `${FULL} does not exist`,
    },
    () => servesWithoutLog(flags),
  );
}

async function servesWithoutLog(flags: readonly string[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'unwritable-'));
  const output = openSync(FULL, 'w');
  const kubeconfig = join(folder, 'kubeconfig');
  // At this verbosity, the log has a line for each request.
  const args = [
    'serve',
    '--in-memory',
    '--secure-port=0',
    '--controllers=',
    '--v=4',
    '--write-kubeconfig',
    kubeconfig,
    ...flags,
  ];
  const child = spawn(process.execPath, [main, ...args], { stdio: ['ignore', output, output] });
  const closed = once(child, 'close');
  try {
    while (!existsSync(kubeconfig)) {
      assert.equal(child.exitCode, null, 'the server has ended');
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await using client = connect(await loadConfig({ path: kubeconfig }));
    for (let request = 0; request < 3; request++) {
      const answer = await client.send({ method: 'GET', path: '/readyz' });
      await readBody(answer);
      assert.equal(answer.status, 200);
    }
    child.kill('SIGTERM');
    assert.deepEqual(await closed, [0, null]);
  } finally {
    child.kill('SIGKILL');
    await closed;
    closeSync(output);
    rmSync(folder, { recursive: true });
  }
}
