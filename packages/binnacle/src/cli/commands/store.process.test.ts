import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../../../bundle/cli/main.js', import.meta.url));
const options = { timeout: 600_000 };

function spawnBinnacle(...args: readonly string[]): ChildProcess {
  return spawn(process.execPath, [main, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
}

/** A slow machine gets lines of progress. */
const PROGRESS = /^[a-z ]+: \d+ of \d+ \(\d+ %\)\n/gm;

async function run(...args: readonly string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawnBinnacle(...args);
  const result = { code: 0 as number | null, stdout: '', stderr: '' };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (result.stdout += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (result.stderr += text));
  await once(child, 'close');
  return { ...result, stderr: result.stderr.replaceAll(PROGRESS, ''), code: child.exitCode };
}

/** Flips one bit in every copy of the latest values of the namespace `default`. */
function damageRecord(bytes: Buffer): Buffer {
  const damaged = Buffer.from(bytes);
  const part = Buffer.from('"name":"default"');
  for (let at = damaged.indexOf(part); at >= 0; at = damaged.indexOf(part, at + 1)) damaged[at] = 0x23;
  return damaged;
}

describe('binnacle store', () => {
  let directory = '';
  let server: ChildProcess | undefined;
  const at = (name: string): string => join(directory, name);
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'store-'));
  });
  afterEach(async () => {
    await stop('SIGKILL');
    rmSync(directory, { recursive: true });
  });
  const serve = async (data: string, ...more: readonly string[]): Promise<void> => {
    const child = spawnBinnacle('serve', '--secure-port=0', '--data-dir', data, ...more);
    server = child;
    let problem = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (problem += text));
    await new Promise<void>((resolve, reject) => {
      child.stdout?.once('data', () => resolve());
      child.once('close', () => reject(new Error(`ended before it was ready: ${problem}`)));
    });
  };
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    if (server === undefined) return;
    const ended = server.exitCode === null && server.signalCode === null ? once(server, 'close') : undefined;
    server.kill(signal);
    await ended;
    server = undefined;
  };

  it('checks and backs up a store in use; compacts and restores one that is not', options, async () => {
    const [data, copy, file] = [at('data'), at('copy'), at('backup')];
    await serve(data);
    const check = await run('store', 'check', '--data-dir', data);
    assert.deepEqual({ code: check.code, stderr: check.stderr }, { code: 0, stderr: '' });
    assert.match(
      check.stdout,
      /^The store in .* is sound\nrevision \d+, history since 1\n\d+ keys, .*\n\d+ records, .*\n$/,
    );
    const backup = await run('store', 'backup', file, '--data-dir', data);
    assert.match(backup.stdout, /^\d+ keys at revision \d+, .* written to .*backup\n$/);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    const busy = await run('store', 'compact', '--data-dir', data);
    assert.equal(busy.code, 1);
    assert.match(busy.stderr, /^binnacle: data directory [^\n]* is in use by process \d+; stop that process first\n$/);
    await stop('SIGTERM');

    const kept = await run('store', 'purge', 'namespace', 'default', '--data-dir', data);
    assert.match(
      kept.stderr,
      /^binnacle: "\/registry\/namespaces\/default" exists; only what is deleted can be purged\n$/,
    );
    const purge = await run('store', 'purge', 'secret', 'default/db', '--data-dir', data);
    assert.equal(purge.stdout, '0 events of secret default/db are purged from the history\n');
    const compact = await run('store', 'compact', '--data-dir', data);
    assert.match(compact.stdout, /^History before revision \d+ is removed: .* before, .* now\n$/);
    const restore = await run('store', 'restore', file, '--data-dir', copy);
    assert.equal(restore.stdout.replace('restored to', 'written to').split(',')[0], backup.stdout.split(',')[0]);
    await serve(copy);
    assert.equal((await run('store', 'check', '--data-dir', copy)).code, 0);
  });

  it(
    'handles a store of protobuf objects in the same way, and serves it with either storage media type',
    options,
    async () => {
      const [data, copy, file] = [at('data'), at('copy'), at('backup')];
      const protobuf = '--storage-media-type=application/vnd.kubernetes.protobuf';
      await serve(data, protobuf);
      const check = await run('store', 'check', '--data-dir', data);
      assert.deepEqual({ code: check.code, stderr: check.stderr }, { code: 0, stderr: '' });
      await stop('SIGTERM');
      assert.equal((await run('store', 'backup', file, '--data-dir', data)).code, 0);
      assert.ok(readFileSync(file).includes('k8s\0'));
      assert.equal((await run('store', 'restore', file, '--data-dir', copy)).code, 0);
      for (const more of [[], [protobuf]]) {
        await serve(copy, ...more);
        assert.equal((await run('store', 'check', '--data-dir', copy)).code, 0);
        await stop('SIGTERM');
      }
    },
  );

  it('refuses to serve a damaged store, and repairs it', { timeout: 600_000 }, async () => {
    const data = at('data');
    await serve(data);
    await stop('SIGTERM');
    const file = join(data, 'store', 'data.mdb');
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.subarray(0, bytes.length - 100_000));
    const remedy = /^binnacle: [^\n]*data\.mdb is damaged: [^\n]*; run "binnacle store repair", or restore a backup\n$/;
    const check = await run('store', 'check', '--data-dir', data);
    assert.match(check.stderr, remedy);
    assert.equal(check.code, 1);
    await assert.rejects(serve(data), /data\.mdb is damaged: .*"binnacle store repair", restore a backup/);
    writeFileSync(file, damageRecord(bytes));
    const found = await run('store', 'check', '--data-dir', data);
    assert.match(found.stdout, /^\d+ problems; the first ones:\n {2}[^\n]*is damaged/);
    const repair = await run('store', 'repair', '--data-dir', data);
    assert.deepEqual({ code: repair.code, stderr: repair.stderr }, { code: 0, stderr: '' });
    assert.match(
      repair.stdout,
      /^\d+ keys at revision \d+ are in .*\nlost: .*\nThe damaged file is .*data\.mdb\.damaged\n$/,
    );
    assert.equal((await run('store', 'check', '--data-dir', data)).code, 0);
    await serve(data);
  });

  it('reports an error in one line', options, async () => {
    mkdirSync(at('full'));
    writeFileSync(at('full/file'), '');
    const failures: readonly [readonly string[], RegExp][] = [
      [['check', '--data-dir', at('none')], /^binnacle: there is no store in [^\n]*\n$/],
      [['compact', '--data-dir', at('none')], /^binnacle: there is no store in [^\n]*\n$/],
      [['backup', at('file'), '--data-dir', at('none')], /^binnacle: there is no store in [^\n]*\n$/],
      [['restore', at('absent'), '--data-dir', at('new')], /^binnacle: [^\n]*absent: no such file or directory\n$/],
      [['restore', at('absent'), '--data-dir', at('full')], /^binnacle: [^\n]*full is not empty; [^\n]*\n$/],
      [['restore', at('full/file'), '--data-dir', at('new')], /^binnacle: [^\n]*file is not a backup\n$/],
    ];
    for (const [args, pattern] of failures) {
      const { code, stdout, stderr } = await run('store', ...args);
      assert.match(stderr, pattern);
      assert.deepEqual({ code, stdout }, { code: 1, stdout: '' });
    }
    assert.equal(existsSync(at('none')), false);
  });
});
