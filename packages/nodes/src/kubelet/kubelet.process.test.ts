import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';
import { text } from 'node:stream/consumers';
import type { Duplex } from 'node:stream';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import { WebSocket } from 'ws';
import { SpdyConnection } from '@binnacle/apimachinery/spdy';
import type { CertificatePair } from '@binnacle/client/certificates';
import type { Pod } from '@binnacle/client/kinds/core/v1';
import { KubeletTrial } from './cluster.testing.js';
import { FIRST, podOn } from './simulated-pods.testing.js';

interface Call {
  readonly node?: string;
  readonly port?: number;
  readonly method?: string;
  readonly identity?: CertificatePair | undefined;
  readonly token?: string;
}

describe('simulated kubelets', { timeout: 600_000 }, () => {
  let trial: KubeletTrial;
  before(async () => {
    trial = await KubeletTrial.start(['node-0', 'node-1']);
    trial.pods.push(podOn('node-0', 'web'), podOn('node-1', 'db'));
    trial.pods.push(podOn('node-0', 'shell', { containers: [{ name: 'c', image: 'img:1', stdin: true, tty: true }] }));
  });
  after(async () => {
    await trial[Symbol.asyncDispose]();
    assert.deepEqual(trial.reports, []);
  });

  const open = (
    path: string,
    { node = 'node-0', port = trial.portOf(node), method = 'GET', ...who }: Call,
    headers: Record<string, string> = {},
  ) => {
    const { identity = who.token === undefined ? trial.admin : undefined, token } = who;
    return request({
      host: '127.0.0.1',
      port,
      path,
      method,
      agent: false,
      rejectUnauthorized: false,
      headers: { ...headers, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
      ...(identity === undefined ? {} : { cert: identity.certificate, key: identity.privateKey }),
    });
  };

  const call = async (path: string, given: Call = {}): Promise<[number | undefined, string]> => {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      open(path, given).on('response', resolve).on('error', reject).end();
    });
    return [response.statusCode, await text(response)];
  };

  /** Opens streams of these types, in this order. */
  const upgrade = async (path: string, protocol: string): Promise<SpdyConnection> => {
    const headers = { connection: 'Upgrade', upgrade: 'SPDY/3.1', 'x-stream-protocol-version': protocol };
    const [response, socket, head] = await new Promise<[IncomingMessage, Duplex, Buffer]>((resolve, reject) => {
      const sent = open(path, { method: 'POST' }, headers);
      sent.on('upgrade', (...all) => resolve(all)).on('error', reject);
      sent.on('response', (answer) => {
        void text(answer).then((body) => reject(new Error(`${answer.statusCode} ${body}`)));
      });
      sent.end();
    });
    assert.equal(response.headers['x-stream-protocol-version'], protocol);
    return new SpdyConnection(socket, { role: 'client', head });
  };

  const exec = async (query: string, input = '', path = '/exec/n/web/c') => {
    const connection = await upgrade(`${path}?output=1&${query}`, 'v4.channel.k8s.io');
    const names = ['error', 'stdout', ...(query.includes('input=1') ? ['stdin'] : [])];
    if (query.includes('tty=1')) names.push('resize');
    if (query.includes('error=1')) names.push('stderr');
    const streams = new Map(names.map((name) => [name, connection.open(new Map([['streamtype', name]]))]));
    streams.get('stdin')?.end(input);
    const read = async (name: string): Promise<string> => {
      const stream = streams.get(name);
      return stream === undefined ? '' : text(stream);
    };
    const [status, stdout, stderr] = await Promise.all([read('error'), read('stdout'), read('stderr')]);
    connection.destroy();
    const { status: verdict, reason, message, details } = JSON.parse(status) as Record<string, unknown>;
    return { stdout, stderr, verdict, reason, message, details };
  };

  it('refuse who has no user, or no right', async () => {
    assert.deepEqual(await call('/pods', { token: '' }), [401, 'Unauthorized']);
    assert.deepEqual(await call('/healthz', { token: 'bad' }), [401, 'Unauthorized']);
    assert.deepEqual(await call('/pods', { identity: trial.other }), [401, 'Unauthorized']);
    const forbidden = 'Forbidden (user=reader, verb=get, resource=nodes, subresource(s)=[pods proxy])\n';
    assert.deepEqual(await call('/pods', { token: 'good' }), [403, forbidden]);
    await assert.rejects(
      new Promise((_, reject) => {
        const headers = { connection: 'Upgrade', upgrade: 'SPDY/3.1' };
        const sent = open('/exec/n/web/c?output=1', { token: 'bad' }, headers);
        sent.on('response', (answer) => reject(new Error(String(answer.statusCode)))).on('error', reject);
        sent.end();
      }),
      /401/,
    );
  });

  it('refuse a client certificate that has expired since its handshake', async () => {
    const inTenYears = new VirtualClock(Date.now() + 10 * 365 * 86_400_000);
    await using later = await KubeletTrial.start(['node-0'], inTenYears);
    const port = later.portOf('node-0');
    assert.deepEqual(await call('/healthz', { port, identity: later.admin }), [401, 'Unauthorized']);
  });

  it('ask the cluster about the right that a path needs', async () => {
    trial.asked.length = 0;
    await call('/stats/summary', { node: 'node-1' });
    assert.deepEqual(trial.asked[0]?.['resourceAttributes'], {
      namespace: '',
      verb: 'get',
      group: '',
      version: 'v1',
      resource: 'nodes',
      subresource: 'stats',
      name: 'node-1',
    });
  });

  it('serve the pages of their own node', async () => {
    assert.deepEqual(await call('/healthz'), [200, 'ok']);
    const names = async (node: string) => {
      const { items } = JSON.parse((await call('/pods', { node }))[1]) as { items: Pod[] };
      return items.map(({ metadata }) => metadata.name);
    };
    assert.deepEqual(await names('node-1'), ['db']);
    const { node, pods } = JSON.parse((await call('/stats/summary'))[1]) as {
      node: { nodeName: string; memory: { workingSetBytes: number } };
      pods: unknown[];
    };
    assert.deepEqual([node.nodeName, node.memory.workingSetBytes, pods.length], ['node-0', 2 * 10 * 2 ** 20, 2]);
    const [, metrics] = await call('/metrics/resource', { node: 'node-1' });
    assert.match(metrics, /^pod_memory_working_set_bytes\{namespace="n",pod="db"\} 10485760 \d+$/m);
    assert.deepEqual(await call('//'), [400, 'Bad Request']);
    assert.deepEqual(await call('/run/n/web/c'), [404, '404: Page Not Found']);
    assert.deepEqual(await call('/pods', { method: 'POST' }), [405, 'Method Not Allowed']);
  });

  it('serve logs', async () => {
    assert.deepEqual(await call('/containerLogs/n/web/c'), [200, `${FIRST}one\ntwo\n`]);
    assert.deepEqual(await call('/containerLogs/n/web/c?tailLines=1'), [200, 'two\n']);
    assert.deepEqual(await call('/containerLogs/n/none/c'), [404, 'pod "none" does not exist']);
    assert.deepEqual(await call('/containerLogs/n/web/d'), [404, 'container "d" not found in pod "web"']);
    assert.deepEqual(await call('/containerLogs/n/web/c?previous=true'), [
      400,
      'previous terminated container "c" in pod "web" not found',
    ]);
  });

  it('serve the pods of their own node alone', async () => {
    assert.equal((await call('/containerLogs/n/db/c', { node: 'node-1' }))[0], 200);
    assert.deepEqual(await call('/containerLogs/n/db/c'), [404, 'pod "db" does not exist']);
    for (const page of ['/exec/n/db/c?output=1&command=env', '/attach/n/db/c?output=1']) {
      await assert.rejects(upgrade(page, 'v4.channel.k8s.io'), /404 pod does not exist/);
    }
    await assert.rejects(upgrade('/portForward/n/db', 'portforward.k8s.io'), /404 pod does not exist/);
  });

  it('follow a log until the container ends', async () => {
    const pod = podOn('node-0', 'ending');
    trial.pods.push(pod);
    const response = await new Promise<IncomingMessage>((resolve) => {
      open('/containerLogs/n/ending/c?follow=true', {}).on('response', resolve).end();
    });
    const pieces: string[] = [];
    for await (const piece of response.setEncoding('utf8') as AsyncIterable<string>) {
      if (pieces.push(piece) === 1) trial.pods.splice(trial.pods.indexOf(pod), 1);
    }
    assert.equal(pieces.join(''), `${FIRST}one\ntwo\n`);
  });

  it('run commands, with their input, both outputs and exit code', async () => {
    const plain = await exec('command=hostname');
    assert.deepEqual([plain.stdout, plain.verdict], ['web\n', 'Success']);
    const both = await exec('input=1&error=1&command=sh&command=-c&command=cat;cat%20none', 'typed\n');
    assert.deepEqual(
      [both.stdout, both.stderr, both.reason],
      ['typed\n', 'cat: none: No such file or directory\n', 'NonZeroExitCode'],
    );
    assert.deepEqual(both.details, { causes: [{ reason: 'ExitCode', message: '1' }] });
    const missing = await exec('command=nginx');
    assert.equal(
      missing.message,
      'Internal error occurred: error executing command in container: exec: "nginx": executable file not found in $PATH: the container is simulated',
    );
  });

  it('keep the files of a container', async () => {
    await exec('command=sh&command=-c&command=echo%20a%20>%20/tmp/f');
    assert.equal((await exec('command=cat&command=/tmp/f')).stdout, 'a\n');
    assert.notEqual((await exec('command=cat&command=/tmp/f', '', '/exec/n/shell/c')).verdict, 'Success');
  });

  it('echo what is typed at a terminal', async () => {
    const { stdout } = await exec('input=1&tty=1&command=sh', 'echo a\rexit 3\r');
    assert.equal(stdout.replaceAll('/ # ', ''), 'echo a\r\nexit 3\r\na\r\n');
  });

  it('end a command at ^C', async () => {
    const { details } = await exec('input=1&tty=1&command=sleep&command=60', '\u0003');
    assert.deepEqual(details, { causes: [{ reason: 'ExitCode', message: '130' }] });
  });

  it('attach to a shell where the container has an input, and to the log otherwise', async () => {
    const { stdout } = await exec('input=1', 'hostname\n', '/attach/n/shell/c');
    assert.equal(stdout, 'shell\n');
    const pod = podOn('node-0', 'attached');
    trial.pods.push(pod);
    const connection = await upgrade('/attach/n/attached/c?output=1', 'v4.channel.k8s.io');
    connection.open(new Map([['streamtype', 'error']])).resume();
    const pieces: string[] = [];
    for await (const piece of connection.open(new Map([['streamtype', 'stdout']])).setEncoding('utf8')) {
      if (pieces.push(String(piece)) === 1) trial.pods.splice(trial.pods.indexOf(pod), 1);
    }
    assert.equal(pieces.join(''), 'two\n');
    connection.destroy();
  });

  it('negotiate the protocol of streams', async () => {
    await assert.rejects(
      upgrade('/exec/n/web/c?output=1&command=env', 'v9.channel.k8s.io'),
      /^Error: 403 unable to upgrade: unable to negotiate protocol: client supports \[v9.channel.k8s.io\], server accepts \[v4.channel.k8s.io\]$/,
    );
    await assert.rejects(upgrade('/exec/n/web/c?command=env', 'v4.channel.k8s.io'), /400 you must specify at least 1/);
    await assert.rejects(upgrade('/exec/n/none/c?output=1', 'v4.channel.k8s.io'), /404 pod does not exist/);
  });

  const webSocket = (path: string, protocols: string[]): WebSocket => {
    const { certificate: cert, privateKey: key } = trial.admin;
    const url = `wss://127.0.0.1:${trial.portOf('node-0')}${path}`;
    return new WebSocket(url, protocols, { cert, key, rejectUnauthorized: false });
  };

  /** The bytes of each channel until the server closes. */
  const channelsOf = async (socket: WebSocket): Promise<string[]> => {
    const channels: string[] = [];
    socket.on('message', (data: Buffer) => {
      const number = data[0] ?? 0;
      channels[number] = `${channels[number] ?? ''}${data.subarray(1).toString()}`;
    });
    await once(socket, 'close');
    return channels;
  };

  it('speak WebSocket, with an end of the input in version 5', async () => {
    const path = '/exec/n/web/c?input=1&output=1&error=1&command=sh&command=-c&command=cat;cat%20none;exit%203';
    const socket = webSocket(path, ['v5.channel.k8s.io', 'v4.channel.k8s.io']);
    const channels = channelsOf(socket);
    await once(socket, 'open');
    assert.equal(socket.protocol, 'v5.channel.k8s.io');
    socket.send(Buffer.from('\u0000typed'));
    socket.send(Buffer.from([255, 0]));
    const [, stdout, stderr, status = ''] = await channels;
    assert.deepEqual([stdout, stderr], ['typed', 'cat: none: No such file or directory\n']);
    assert.deepEqual((JSON.parse(status) as { details: unknown }).details, {
      causes: [{ reason: 'ExitCode', message: '3' }],
    });
    const older = webSocket('/exec/n/web/c?output=1&command=hostname', ['v4.channel.k8s.io']);
    assert.deepEqual((await channelsOf(older)).slice(1, 2), ['web\n']);
    const unknown = webSocket('/exec/n/web/c?output=1&command=hostname', ['v9.channel.k8s.io']);
    const [error] = (await once(unknown, 'error')) as [Error];
    assert.match(error.message, /400/);
  });

  it('forward ports over WebSocket', async () => {
    const socket = webSocket('/portForward/n/web?port=80,81', ['v4.channel.k8s.io']);
    const channels = channelsOf(socket);
    await once(socket, 'open');
    const request = 'GET /a HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n';
    let answer = '';
    socket.on('message', (data: Buffer) => {
      if (data[0] === 0) answer += data.subarray(1).toString();
      if (answer.includes('is simulated')) socket.close();
    });
    socket.send(Buffer.from(`\u0000${request}`));
    const [data = '', , , refusal = ''] = await channels;
    assert.match(data, /^P\u0000HTTP\/1\.1 200 OK/);
    assert.match(refusal, /^Q\u0000error forwarding port 81 to pod uid-of-web: .*connection refused$/);
  });

  it('answer HTTP on forwarded ports that the pod declares', async () => {
    const connection = await upgrade('/portForward/n/web', 'portforward.k8s.io');
    const forward = (port: string, id: string) => {
      const headers = (type: string) =>
        new Map([
          ['streamtype', type],
          ['port', port],
          ['requestid', id],
        ]);
      return [connection.open(headers('error')), connection.open(headers('data'))] as const;
    };
    const [error, data] = forward('80', '0');
    data.end('GET /a HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
    const [failure, answer] = await Promise.all([text(error), text(data)]);
    assert.equal(failure, '');
    assert.match(
      answer,
      /^HTTP\/1\.1 200 OK\r\n.*GET \/a\nPod n\/web, port 80, is simulated: Binnacle runs no program of img:1\n/s,
    );
    const [refused] = forward('81', '1');
    assert.match(await text(refused), /^error forwarding port 81 to pod uid-of-web: .*connection refused$/);
    connection.destroy();
  });
});
