import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import { duplexPair } from 'node:stream';
import { describe, it } from 'node:test';
import { settle, VirtualClock } from '@binnacle/apimachinery/clock';
import type { ProbeTarget } from './probe-target.js';
import { answeringFrom, unusedNetwork } from './run-probe.testing.js';
import { type ProbeFailure, type ProbeNetwork, type RunCommand, runProbe } from './run-probe.js';

const { signal } = new AbortController();
const url = 'http://127.0.0.1:8080/a';
const http: ProbeTarget = { kind: 'http', url, headers: [['x-own', 'v']] };
const tcp: ProbeTarget = { kind: 'tcp', host: '127.0.0.1', port: 80 };

const unused = (): never => assert.fail('the probe does not call this');

function probe(target: ProbeTarget, given: Partial<ProbeNetwork> & { readonly run?: RunCommand }) {
  const clock = new VirtualClock(0);
  const { run = unused, ...network } = given;
  const parts = {
    clock,
    run,
    timeout: 1000,
    network: { ...unusedNetwork, ...network },
  };
  const result: Promise<ProbeFailure> = runProbe(target, parts, signal);
  return { clock, result };
}

const answering = (listener: RequestListener): ProbeNetwork['request'] => answeringFrom(createServer(listener));

describe('a probe', () => {
  it('by a command fails with its output', async () => {
    const run: RunCommand = async ([code]) => ({ exitCode: Number(code), output: 'said' });
    assert.equal(await probe({ kind: 'exec', command: ['0'] }, { run }).result, undefined);
    assert.equal(await probe({ kind: 'exec', command: ['1'] }, { run }).result, 'said');
    const lost: RunCommand = () => Promise.reject(new Error('lost'));
    assert.equal(await probe({ kind: 'exec', command: ['0'] }, { run: lost }).result, 'lost');
  });

  it('that is unsupported says so', async () => {
    assert.equal(await probe({ kind: 'unsupported', message: 'no' }, {}).result, 'no');
  });

  it('by gRPC fails with what the check finds', async () => {
    const grpc: ProbeTarget = { kind: 'grpc', host: '127.0.0.1', port: 80, service: 's' };
    assert.equal(await probe(grpc, { checkHealth: async () => undefined }).result, undefined);
    const limited: ProbeNetwork['checkHealth'] = async ({ service }, { timeout }) => `${service} ${timeout}`;
    assert.equal(await probe(grpc, { checkHealth: limited }).result, 's 1000');
  });

  it('by a connection succeeds when it opens, and closes it', async () => {
    const [socket] = duplexPair();
    const { result } = probe(tcp, { connect: () => socket });
    socket.emit('connect');
    assert.deepEqual([await result, socket.destroyed], [undefined, true]);
    const [refused] = duplexPair();
    const other = probe(tcp, { connect: () => refused });
    refused.destroy(new Error('connect ECONNREFUSED 127.0.0.1:80'));
    assert.equal(await other.result, 'connect ECONNREFUSED 127.0.0.1:80');
  });

  for (const [status, failure] of [
    [200, undefined],
    [302, undefined],
    [399, undefined],
    [400, 'HTTP probe failed with statuscode: 400'],
    [500, 'HTTP probe failed with statuscode: 500'],
  ] as const) {
    it(`that is answered with ${status}`, async () => {
      const asked: unknown[] = [];
      const answered = answering(({ url: path, headers }, response) => {
        asked.push(path, headers['user-agent'], headers['x-own']);
        response.writeHead(status).end('x'.repeat(20_000));
      });
      assert.equal(await probe(http, { request: answered }).result, failure);
      assert.deepEqual(asked, ['/a', 'kube-probe/1.36', 'v']);
    });
  }

  it('fails where no one answers, or not in time', async () => {
    const closes = answering(({ socket }) => void socket.destroy());
    assert.equal(await probe(http, { request: closes }).result, `Get "${url}": socket hang up`);
    const { clock, result } = probe(http, { request: answering(() => undefined) });
    await settle();
    await clock.advance(1000);
    assert.equal(await result, `Get "${url}": context deadline exceeded`);
  });
});
