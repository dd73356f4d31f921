/** `binnacle console` as a person starts it. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { testServer } from 'binnacle/testing';

const command = fileURLToPath(new URL('../../packages/binnacle/bin/binnacle.js', import.meta.url));

describe('binnacle console', () => {
  it('prints a link for the server of the kubeconfig, and ends with SIGTERM', async (context) => {
    const server = await testServer();
    context.after(() => server.stop());
    const child = spawn(process.execPath, [command, 'console', '--kubeconfig', await server.kubeconfigFile()], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    // A failed test ends too.
    context.after(() => child.kill('SIGKILL'));
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const { value: first } = await lines.next();
    assert.ok(first.startsWith(`Console for ${server.url}.`), first);
    const { value: link } = await lines.next();
    const opened = await fetch(link, { redirect: 'manual' });
    assert.equal(opened.status, 303);
    const [, key] = /#key=([\w-]+)$/.exec(opened.headers.get('location'));
    const [cookie] = opened.headers.get('set-cookie').split(';');
    const headers = { cookie, 'x-binnacle-console': key };
    const session = await fetch(new URL('/console/v1/session', link), { headers });
    assert.deepEqual(Object.keys(await session.json()), ['server', 'version', 'history', 'forks']);
    const pods = await fetch(new URL('/console/v1/api/api/v1/pods', link), { headers });
    assert.equal((await pods.json()).kind, 'PodList');
    child.kill('SIGTERM');
    const [code] = await once(child, 'exit');
    assert.equal(code, 0);
  });

  it('comes with a server too', async (context) => {
    const child = spawn(process.execPath, [command, 'serve', '--in-memory', '--secure-port', '0', '--console'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    context.after(() => child.kill('SIGKILL'));
    const lines = createInterface({ input: child.stdout });
    let link;
    for await (const line of lines) {
      if (!line.startsWith('http://')) continue;
      link = line;
      break;
    }
    const opened = await fetch(link, { redirect: 'manual' });
    assert.equal(opened.status, 303);
    child.kill('SIGTERM');
    const [code] = await once(child, 'exit');
    assert.equal(code, 0);
  });

  it('ends with an error when it cannot reach the server', async () => {
    const child = spawn(process.execPath, [command, 'console', '--kubeconfig', '/absent'], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const errors = child.stderr.setEncoding('utf8').toArray();
    const [code] = await once(child, 'exit');
    assert.equal(code, 1);
    assert.match((await errors).join(''), /^binnacle: \/absent: does not exist\n$/);
  });
});

describe('binnacle top', () => {
  it('prints one screen where the output is not a terminal', async (context) => {
    const server = await testServer();
    context.after(() => server.stop());
    const child = spawn(process.execPath, [command, 'top', '--kubeconfig', await server.kubeconfigFile()], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const printed = child.stdout.setEncoding('utf8').toArray();
    const [code] = await once(child, 'exit');
    assert.equal(code, 0);
    const lines = (await printed).join('').split('\n');
    assert.ok(lines[0].startsWith(`${server.url}  v1.36`), lines[0]);
    assert.match(lines[1], /^requests [\d.]+\/s  median /);
    assert.match(
      lines.find((line) => line.startsWith('watches')),
      /^watches [1-9]\d*: \w+ \d/,
    );
  });
});
