import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { runCommand } from './run-command.js';

test('a program gets the kubeconfig in a file of its own, and its exit code is returned', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'run-command-'));
  try {
    const copy = join(folder, 'copy');
    const script = `cat "$KUBECONFIG" > ${copy}; echo " $KUBECONFIG" >> ${copy}; exit 3`;
    assert.equal(await runCommand(['sh', '-c', script], 'secret'), 3);
    const [text, path = ''] = readFileSync(copy, 'utf8').trim().split(' ');
    assert.equal(text, 'secret');
    assert.equal(existsSync(path), false, 'the file is removed');
    assert.equal(await runCommand(['sh', '-c', 'kill -TERM $$'], ''), 128 + 15);
    await assert.rejects(runCommand([join(folder, 'absent')], ''), /ENOENT/);
    const stop = new AbortController();
    const running = runCommand(['sh', '-c', 'exec sleep 600'], '', stop.signal);
    setImmediate(() => stop.abort());
    assert.equal(await running, 128 + 15);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
