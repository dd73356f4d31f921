import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import { dirname, resolve } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** `npm start` in a process group of its own, as a shell starts it; resolves when the server is ready. */
async function startThroughNpm() {
  const npm = spawn('npm', ['start', '--', '--in-memory', '--secure-port', '0'], {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exitCode = new Promise((done) => npm.on('close', done));
  let output = '';
  npm.stderr.setEncoding('utf8').on('data', (text) => (output += text));
  await new Promise((ready, failed) => {
    npm.stdout.setEncoding('utf8').on('data', (text) => {
      output += text;
      if (/^Data in memory/m.test(output)) ready();
    });
    npm.on('close', () => failed(new Error(`ended before it was ready:\n${output}`)));
  });
  const port = Number(/https:\/\/127\.0\.0\.1:(\d+)/.exec(output)?.[1]);
  return { pid: npm.pid, port, exitCode };
}

/** True when a process accepts connections at the port. */
const answers = (port) =>
  new Promise((done) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => {
      socket.destroy();
      done(true);
    });
    socket.on('error', () => done(false));
  });

describe('npm start', () => {
  for (const [name, target] of [
    ['SIGTERM to npm', (pid) => process.kill(pid, 'SIGTERM')],
    ['Ctrl-C in a terminal, which reaches npm and the server', (pid) => process.kill(-pid, 'SIGINT')],
  ]) {
    it(`${name} ends the server in order`, { timeout: 600_000 }, async () => {
      const { pid, port, exitCode } = await startThroughNpm();
      assert.ok(await answers(port));
      target(pid);
      assert.equal(await exitCode, 0);
      assert.equal(await answers(port), false);
    });
  }
});
