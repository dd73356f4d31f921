import { connect, type Transport, readBody } from '@binnacle/client/transport';
import { loadConfig } from '@binnacle/client/kubeconfig';
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../../../bundle/cli/main.js', import.meta.url));
const isRoot = process.platform === 'linux' && process.getuid?.() === 0;

/** Starts a server, and resolves with a client of it when it is ready. */
async function serve(
  directory: string,
  port: number,
): Promise<{ child: ChildProcess; client: Transport; port: number }> {
  const child = spawn(process.execPath, [main, 'serve', `--secure-port=${port}`, '--data-dir', directory], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  for await (const chunk of child.stdout.setEncoding('utf8')) {
    text += String(chunk);
    if (text.includes('Data in')) break;
  }
  const client = connect(await loadConfig({ path: join(directory, 'kubeconfig') }));
  return { child, client, port: Number(/:([0-9]+) /.exec(text)?.[1]) };
}

async function ask(
  client: Transport,
  method: string,
  path: string,
  body?: object,
): Promise<{ status: number; text: string }> {
  const headers = body === undefined ? {} : { 'content-type': 'application/json' };
  const content = body === undefined ? {} : { body: Buffer.from(JSON.stringify(body)) };
  const answer = await client.send({ method, path, headers, ...content });
  return { status: answer.status, text: Buffer.from(await readBody(answer)).toString() };
}

async function append(file: string, bytes: number): Promise<boolean> {
  return appendFile(file, Buffer.alloc(bytes)).then(
    () => true,
    () => false,
  );
}

async function kill(
  { child, client }: { child: ChildProcess; client: Transport },
  signal: NodeJS.Signals,
): Promise<void> {
  const ended = once(child, 'close');
  child.kill(signal);
  await ended;
  await client[Symbol.asyncDispose]();
}

describe('binnacle serve on a full disk', { timeout: 600_000, skip: !isRoot && 'only root may mount' }, () => {
  let mount = '';
  const children: ChildProcess[] = [];
  before(() => {
    mount = mkdtempSync(join(tmpdir(), 'serve-full-'));
    const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=12m', 'tmpfs', mount]);
    assert.equal(status, 0);
  });
  after(async () => {
    for (const child of children) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const ended = once(child, 'close');
      child.kill('SIGKILL');
      await ended;
    }
    spawnSync('umount', [mount]);
    rmSync(mount, { recursive: true, force: true });
  });

  it('starts after a kill, reads and deletes, and reports the full disk', async () => {
    const directory = join(mount, 'data');
    const collection = '/api/v1/namespaces/default/configmaps';
    const configMap = (index: number): object => ({
      metadata: { name: `full-${index}` },
      data: { x: 'x'.repeat(50_000) },
    });
    const first = await serve(directory, 0);
    children.push(first.child);
    const acknowledged = 30;
    for (let index = 0; index < acknowledged; index += 1) {
      assert.equal((await ask(first.client, 'POST', collection, configMap(index))).status, 201);
    }
    for (const bytes of [65_536, 4096, 1]) {
      for (let fits = true; fits; ) fits = await append(join(mount, 'fill'), bytes);
    }
    assert.equal(statfsSync(mount).bavail, 0);
    await kill(first, 'SIGKILL');

    // Its kubeconfig names another port.
    const second = await serve(directory, 0);
    assert.notEqual(second.port, first.port);
    children.push(second.child);
    const { client } = second;
    const ready = await ask(client, 'GET', '/readyz/etcd-readiness');
    assert.equal(ready.status, 500);
    assert.match(ready.text, /no space left to write in .*store/);
    assert.equal((await ask(client, 'GET', '/readyz')).status, 500);
    assert.equal((await ask(client, 'GET', '/livez')).status, 200);
    const refused = await ask(client, 'POST', collection, configMap(acknowledged));
    assert.equal(refused.status, 500);
    assert.match(refused.text, /no space left to write/);
    for (let index = 0; index < acknowledged; index += 1) {
      assert.equal((await ask(client, 'GET', `${collection}/full-${index}`)).status, 200);
      assert.equal((await ask(client, 'DELETE', `${collection}/full-${index}`)).status, 200);
    }
    rmSync(join(mount, 'fill'));
    assert.equal((await ask(client, 'GET', '/readyz')).status, 200);
    assert.equal((await ask(client, 'POST', collection, configMap(0))).status, 201);
    await kill(second, 'SIGTERM');
    assert.equal(second.child.exitCode, 0);
  });
});
