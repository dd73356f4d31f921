import assert from 'node:assert/strict';
import { createServer as createHttp1Server, type IncomingMessage, type ServerResponse } from 'node:http';
import { duplexPair } from 'node:stream';
import { describe, it } from 'node:test';
import { settle } from '../testing/index.js';
import { connect, type Dial, readBody, readLines, type TransportResponse } from './index.js';

const text = async (response: TransportResponse) => Buffer.from(await readBody(response)).toString();

const config = { server: 'https://server/base/' };

describe('HTTP/1.1', () => {
  const withServer = (answer: (request: IncomingMessage, response: ServerResponse) => void) => {
    const server = createHttp1Server(answer);
    let dialled = 0;
    const dial: Dial = async () => {
      const [mine, theirs] = duplexPair();
      dialled++;
      // Sockets have these methods, other streams do not.
      const nothing = () => theirs;
      Object.assign(theirs, { setKeepAlive: nothing, setTimeout: nothing, ref: nothing, unref: nothing });
      theirs.once('close', () => mine.destroy());
      server.emit('connection', mine);
      return { socket: theirs, protocol: 'http/1.1' };
    };
    return { transport: connect(config, { dial }), dialled: () => dialled };
  };

  it('reuses connections, and opens as many as needed', async () => {
    const { transport, dialled } = withServer((request, response) => {
      request.resume();
      response.end(`${request.method} ${request.url} ${request.headers.host}`);
    });
    assert.equal(await text(await transport.send({ method: 'GET', path: '/a' })), 'GET /base/a server');
    await settle();
    assert.equal(await text(await transport.send({ method: 'POST', path: '/b', body: 'x' })), 'POST /base/b server');
    assert.equal(dialled(), 1);
    await settle();
    const both = await Promise.all([1, 2].map(async () => transport.send({ method: 'GET', path: '/c' })));
    await Promise.all(both.map(text));
    assert.equal(dialled(), 2);
    await transport.close();
  });

  it('ends the exchange on abort and when the reader leaves', async () => {
    const closed: Promise<unknown>[] = [];
    const { transport } = withServer((request, response) => {
      closed.push(new Promise((resolve) => response.once('close', resolve)));
      response.write('one\n');
      if (request.url === '/base/end') response.end();
    });
    const response = await transport.send({ method: 'GET', path: '/' });
    for await (const line of readLines(response.body)) {
      assert.equal(Buffer.from(line).toString(), 'one');
      break;
    }
    await closed[0];
    const controller = new AbortController();
    const other = await transport.send({ method: 'GET', path: '/' }, { signal: controller.signal });
    await assert.rejects(async () => {
      for await (const _ of other.body) controller.abort(new Error('enough'));
    }, /^Error: enough$/);
    await transport.close();
  });
});
