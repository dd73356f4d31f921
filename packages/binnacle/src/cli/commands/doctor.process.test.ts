import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../../../bundle/cli/main.js', import.meta.url));

/** The exit code and the output of `binnacle doctor`. */
const run = (...args: readonly string[]) =>
  new Promise<{ readonly code: unknown; readonly text: string }>((resolve) => {
    execFile(process.execPath, [main, 'doctor', ...args], (error, stdout) =>
      resolve({ code: error?.code ?? 0, text: stdout }),
    );
  });

it('explains a set-up, and ends with 1 if it has a problem', { timeout: 600_000 }, async () => {
  const directory = await mkdtemp(join(tmpdir(), 'doctor-'));
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  assert.ok(address !== null && typeof address === 'object');
  try {
    const good = await run('--data-dir', directory, '--secure-port=0');
    assert.equal(good.code, 0, good.text);
    assert.match(good.text, /^ok +node +Node\.js [^]*\nok +directory +\/[^]*\n0 problems, /);
    const bad = await run('--data-dir', directory, `--secure-port=${address.port}`, '--client-ca-file=absent');
    assert.equal(bad.code, 1);
    assert.match(bad.text, /^problem +options +--client-ca-file absent: no such file or directory$/m);
    assert.match(bad.text, /^warning +port +port [0-9]+ on 127\.0\.0\.1 is in use/m);
    const wrong = await run('--bind-address=host');
    assert.match(wrong.text, /^problem +options +--bind-address "host" is not an IP address$/m);
  } finally {
    listener.close();
    await rm(directory, { recursive: true });
  }
});
