import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import { describe, it } from 'node:test';
import { settle, VirtualClock } from '@binnacle/apimachinery/clock';
import type { LifecycleHandler } from '@binnacle/client/kinds/core/v1';
import { type HookParts, runHook } from './lifecycle-hook.js';
import { answeringFrom, unusedNetwork } from './run-probe.testing.js';

function run(hook: LifecycleHandler, given: Partial<HookParts> = {}, signal = new AbortController().signal) {
  const clock = new VirtualClock(0);
  const unused = (): never => assert.fail('the hook runs no command');
  const container = { ports: [{ name: 'http', containerPort: 8080 }] };
  const parts = { container, address: '127.0.0.1', clock, run: unused, network: unusedNetwork, ...given };
  return { clock, ended: runHook(hook, parts, signal) };
}
const answering = (listener: RequestListener) => ({ ...unusedNetwork, request: answeringFrom(createServer(listener)) });

describe('a hook', () => {
  it('by a command fails with its code', async () => {
    const exec = { command: ['a', 'b'] };
    const commands: (readonly string[])[] = [];
    const ending =
      (exitCode: number): HookParts['run'] =>
      async (command) => {
        commands.push(command);
        return { exitCode, output: '' };
      };
    await run({ exec }, { run: ending(0) }).ended;
    await assert.rejects(run({ exec }, { run: ending(3) }).ended, /exit code 3/);
    assert.deepEqual(commands, [exec.command, exec.command]);
  });

  it('by a request needs any answer', async () => {
    const asked: unknown[] = [];
    const network = answering(({ url, headers }, response) => {
      asked.push(url, headers['user-agent']);
      response.writeHead(500).end();
    });
    await run({ httpGet: { port: 'http', path: '/stop' } }, { network }).ended;
    assert.deepEqual(asked, ['/stop', 'kube-lifecycle/1.36']);
    const closing = answering(({ socket }) => void socket.destroy());
    await assert.rejects(run({ httpGet: { port: 'http' } }, { network: closing }).ended, /socket hang up/);
    await assert.rejects(run({ httpGet: { port: 'none' } }).ended, /couldn't find port: "none"/);
  });

  it('may wait, until the signal fires', async () => {
    const { clock, ended } = run({ sleep: { seconds: 5 } });
    await settle();
    await clock.advance(5000);
    await ended;
    const stopping = new AbortController();
    const stopped = run({ sleep: { seconds: 5 } }, {}, stopping.signal);
    stopping.abort(new Error('enough'));
    await assert.rejects(stopped.ended, /enough/);
  });

  it('without an action fails', async () => {
    await assert.rejects(run({ tcpSocket: { port: 1 } }).ended, /no action/);
  });
});
