import assert from 'node:assert/strict';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { settle } from '@binnacle/apimachinery/clock';
import { openStream, podOf, StreamTrial } from './streams.testing.js';

const running = (): StreamTrial =>
  new StreamTrial([
    podOf('web'),
    podOf('shell', { stdin: true }),
    podOf('waiting', {}, { waiting: { reason: 'ErrImagePull' } }),
    podOf('ended', {}, { terminated: { exitCode: 0, containerID: 'x', startedAt: 'a', finishedAt: 'b' } }),
  ]);

describe('serveStreams', () => {
  for (const [what, path, code, message] of [
    ['a missing pod', '/exec/n/none/c?output=1', 404, 'pod does not exist'],
    ['a missing pod of port-forward', '/portForward/n/none', 404, 'pod does not exist'],
    ['an earlier pod of the name', '/exec/n/web/other-uid/c?output=1', 404, 'pod not found'],
    ['a command without streams', '/exec/n/web/c?input=0', 400, 'you must specify at least 1 of stdin, stdout, stderr'],
    ['a missing container', '/exec/n/web/d?output=1', 404, 'container not found ("d")'],
    ['a container that has not started', '/exec/n/waiting/c?output=1', 500, 'container not found ("c")'],
    ['a container that has ended', '/attach/n/ended/c?output=1', 500, 'container not found ("c")'],
  ] as const) {
    it(`refuses ${what} over SPDY and WebSocket`, async () => {
      await assert.rejects(running().spdy(path), { name: 'Refusal', code, message });
      await assert.rejects(running().webSocket(path), { name: 'Refusal', code, message });
    });
  }

  it('refuses other protocols', async () => {
    await assert.rejects(running().spdy('/exec/n/web/c?output=1', 'v4.channel.k8s.io', 'h2c'), {
      code: 400,
      message: 'the simulated kubelet upgrades to SPDY/3.1 and to WebSocket',
    });
    const negotiation = 'unable to upgrade: unable to negotiate protocol';
    await assert.rejects(running().spdy('/exec/n/web/c?output=1', 'v2.channel.k8s.io, channel.k8s.io'), {
      code: 403,
      message: `${negotiation}: client supports [v2.channel.k8s.io channel.k8s.io], server accepts [v4.channel.k8s.io]`,
    });
    await assert.rejects(running().spdy('/exec/n/web/c?output=1', []), {
      code: 403,
      message: `${negotiation}: client supports [], server accepts [v4.channel.k8s.io]`,
    });
    await assert.rejects(running().spdy('/portForward/n/web', 'v4.channel.k8s.io'), {
      code: 403,
      message: `${negotiation}: client supports [v4.channel.k8s.io], server accepts [portforward.k8s.io]`,
    });
    await assert.rejects(running().webSocket('/portForward/n/web?port=80', ['v5.channel.k8s.io']), {
      code: 400,
      message: 'requested protocol(s) are not supported: [v5.channel.k8s.io]; supports [v4.channel.k8s.io]',
    });
  });

  it('refuses port-forward over WebSocket without ports', async () => {
    await assert.rejects(running().webSocket('/portForward/n/web'), {
      code: 400,
      message: 'query parameter "port" is required',
    });
  });

  it('takes the first protocol of the client that it knows', async () => {
    const { connection, protocol } = await running().spdy(
      '/exec/n/web/c?output=1&command=env',
      'v5.channel.k8s.io,v4.channel.k8s.io',
    );
    assert.equal(protocol, 'v4.channel.k8s.io');
    connection.destroy();
  });

  it('runs a command with its input, both outputs and exit code', async () => {
    const query = 'input=1&output=1&error=1&command=sh&command=-c&command=cat;cat%20none;exit%203';
    for (const path of [`/exec/n/web/c?${query}`, `/exec/n/web/uid-of-web/c?${query}`]) {
      const { stdout, stderr, status } = await running().command(path, 'typed');
      assert.deepEqual([stdout, stderr], ['typed', 'cat: none: No such file or directory\n']);
      assert.deepEqual(status, {
        metadata: {},
        status: 'Failure',
        message: 'command terminated with non-zero exit code: 3',
        reason: 'NonZeroExitCode',
        details: { causes: [{ reason: 'ExitCode', message: '3' }] },
      });
    }
  });

  it('reports a success, and why a command cannot run', async () => {
    const { stdout, status } = await running().command('/exec/n/web/c?output=1&command=hostname');
    assert.deepEqual([stdout, status], ['web\n', { metadata: {}, status: 'Success' }]);
    const missing = await running().command('/exec/n/web/c?output=1&command=nginx');
    const cause =
      'error executing command in container: exec: "nginx": executable file not found in $PATH: the container is simulated';
    assert.deepEqual(missing.status, {
      metadata: {},
      status: 'Failure',
      message: `Internal error occurred: ${cause}`,
      reason: 'InternalError',
      details: { causes: [{ message: cause }] },
      code: 500,
    });
  });

  it('keeps the files of a container between commands', async () => {
    const trial = running();
    await trial.command('/exec/n/web/c?output=1&command=sh&command=-c&command=echo%20a%20>%20/tmp/f');
    assert.equal((await trial.command('/exec/n/web/c?output=1&command=cat&command=/tmp/f')).stdout, 'a\n');
    const other = await trial.command('/exec/n/shell/c?output=1&command=cat&command=/tmp/f');
    assert.equal(other.status['reason'], 'NonZeroExitCode');
  });

  it('echoes what is typed at a terminal', async () => {
    const { stdout } = await running().command('/exec/n/web/c?input=1&output=1&tty=1&command=sh', 'echo a\rexit 3\r');
    assert.equal(stdout.replaceAll('/ # ', ''), 'echo a\r\nexit 3\r\na\r\n');
  });

  it('attaches to a shell where the container has an input', async () => {
    const { stdout } = await running().command('/attach/n/shell/c?input=1&output=1', 'hostname\n');
    assert.equal(stdout, 'shell\n');
  });

  it('attaches to the log otherwise, until the container ends', async () => {
    const trial = running();
    const { connection, served } = await trial.spdy('/attach/n/web/c?output=1');
    const [error, stdout] = ['error', 'stdout'].map((type) => openStream(connection, type));
    assert.ok(error && stdout);
    const [piece] = (await once(stdout, 'data')) as [Buffer];
    assert.equal(String(piece), 'two\n');
    trial.pods.length = 0;
    await trial.clock.advance(1000);
    assert.deepEqual(JSON.parse(await text(error)), { metadata: {}, status: 'Success' });
    await served;
  });

  it('ends without an error when the client goes, or the nodes stop', async () => {
    for (const leaves of [true, false]) {
      const trial = running();
      const { connection, served } = await trial.spdy('/attach/n/web/c?output=1');
      const [, stdout] = ['error', 'stdout'].map((type) => openStream(connection, type));
      assert.ok(stdout);
      await once(stdout, 'data');
      if (leaves) connection.destroy();
      else trial.stop.abort();
      await served;
      assert.equal(trial.clock.waiting, 0);
    }
  });

  it('runs no command for a client that opens no streams', async () => {
    const trial = running();
    const { connection, served } = await trial.spdy('/exec/n/web/c?output=1&command=hostname');
    await settle();
    await trial.clock.advance(30_000);
    await Promise.all([served, connection.closed]);
  });

  it('speaks WebSocket, with an end of the input in version 5', async () => {
    const path = '/exec/n/web/c?input=1&output=1&error=1&command=sh&command=-c&command=cat;cat%20none;exit%203';
    const { client, channels, served } = await running().webSocket(path, ['v4.channel.k8s.io', 'v5.channel.k8s.io']);
    assert.equal(client.protocol, 'v5.channel.k8s.io');
    client.send(Buffer.from('\u0000typed'));
    client.send(Buffer.from([255, 0]));
    await Promise.all([once(client, 'close'), served]);
    const [, stdout, stderr, status = ''] = channels;
    assert.deepEqual([stdout, stderr], ['typed', 'cat: none: No such file or directory\n']);
    assert.deepEqual((JSON.parse(status) as { details: unknown }).details, {
      causes: [{ reason: 'ExitCode', message: '3' }],
    });
  });

  it('runs no command over a WebSocket that opens while the nodes stop', async () => {
    const trial = running();
    trial.stop.abort();
    const { client, channels, served } = await trial.webSocket('/exec/n/web/c?output=1&command=hostname');
    await served;
    await settle();
    assert.deepEqual(channels, []);
    client.terminate();
  });

  it('forwards ports over SPDY and WebSocket', async () => {
    const request = 'GET /a HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n';
    const { connection, served } = await running().spdy('/portForward/n/web', 'portforward.k8s.io');
    const [error, data] = ['error', 'data'].map((type) => openStream(connection, type, { port: 80, requestid: 0 }));
    assert.ok(error && data);
    data.end(request);
    const [failure, answer] = await Promise.all([text(error), text(data)]);
    assert.deepEqual([failure, answer.slice(0, 15)], ['', 'HTTP/1.1 200 OK']);
    connection.destroy();
    await served;
    const { client, channels, served: other } = await running().webSocket('/portForward/n/web?port=80,81');
    client.on('message', () => {
      if (channels[0]?.includes('is simulated') === true) client.close();
    });
    client.send(Buffer.from(`\u0000${request}`));
    await other;
    assert.match(channels[0] ?? '', /^P\u0000HTTP\/1\.1 200 OK/);
    assert.match(channels[3] ?? '', /^Q\u0000error forwarding port 81 to pod uid-of-web: .*connection refused$/);
  });
});
