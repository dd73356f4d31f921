import { spawn } from 'node:child_process';
import { createServer } from 'node:https';
import { connect } from 'node:net';
import { SpdyConnection } from '@binnacle/apimachinery/spdy';

const PROTOCOLS = ['v5.channel.k8s.io', 'v4.channel.k8s.io'];

/**
 * A server with the HTTP API of a kubelet, as far as the API server uses it. Its containers run commands of this machine.
 * It accepts only the API server's client certificate.
 * @param {{ issuer: import('@binnacle/client/certificates').Issuer, clientAuthority: string, logs?: (request: URL) => { status?: number, pieces: AsyncIterable<string> | string[] } }} options
 */
export async function startFakeKubelet({ issuer, clientAuthority, logs = () => ({ pieces: ['a line\n'] }) }) {
  const serving = issuer.issueServing('kubelet', ['127.0.0.1']);
  const requests = [];
  const server = createServer({
    cert: serving.certificate,
    key: serving.privateKey,
    ca: clientAuthority,
    requestCert: true,
    rejectUnauthorized: true,
  });
  const note = (request) => {
    const url = new URL(request.url, 'https://kubelet');
    const { subject } = request.socket.getPeerCertificate();
    requests.push({
      method: request.method,
      path: url.pathname,
      query: url.search,
      headers: request.headers,
      user: subject.CN,
    });
    return url;
  };
  server.on('request', async (request, response) => {
    const url = note(request);
    if (!url.pathname.startsWith('/containerLogs/')) {
      response.setHeader('content-type', 'text/plain');
      response.end(`${request.method} ${request.url}\n`);
      return;
    }
    const { status = 200, pieces } = logs(url);
    response.writeHead(status);
    for await (const piece of pieces)
      if (!response.write(piece)) await new Promise((done) => response.once('drain', done));
    response.end();
  });
  const connections = new Set();
  const sockets = new Set();
  server.on('upgrade', (request, socket, head) => {
    const url = note(request);
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket)).on('error', () => undefined);
    const offered = String(request.headers['x-stream-protocol-version'] ?? '').split(', ');
    if (url.searchParams.get('command') === 'refuse-the-upgrade') {
      socket.end('HTTP/1.1 403 Forbidden\r\ncontent-type: text/plain\r\ncontent-length: 9\r\n\r\nnot today');
      return;
    }
    const isForward = url.pathname.startsWith('/portForward/');
    const protocol = isForward ? 'portforward.k8s.io' : offered.find((name) => PROTOCOLS.includes(name));
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\nX-Stream-Protocol-Version: ${protocol}\r\n\r\n`,
    );
    const streams = new Map();
    const connection = new SpdyConnection(socket, {
      role: 'server',
      head,
      onStream: (stream) => {
        stream.accept();
        stream.on('error', () => undefined);
        if (isForward) return forward(stream);
        streams.set(stream.headers.get('streamtype'), stream);
        if (streams.size === streamCount(url)) void run(url, streams).then(() => connection.close());
      },
    });
    connections.add(connection);
    void connection.closed.then(() => connections.delete(connection));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: server.address().port,
    requests,
    connections,
    /** What has left on the upgraded connections that are open. */
    bytesWritten: () => [...sockets].reduce((sum, socket) => sum + socket.bytesWritten - socket.writableLength, 0),
    stop: () => {
      for (const connection of connections) connection.destroy();
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

function streamCount({ searchParams }) {
  const isTty = searchParams.has('tty');
  const names = ['input', 'output', ...(isTty ? ['tty'] : ['error'])];
  return 1 + names.filter((name) => searchParams.has(name)).length;
}

async function run({ searchParams, pathname }, streams) {
  const command = pathname.startsWith('/attach/') ? ['cat'] : searchParams.getAll('command');
  const [input, output, error, status, resize] = ['stdin', 'stdout', 'stderr', 'error', 'resize'].map((name) =>
    streams.get(name),
  );
  const child = spawn(command[0], command.slice(1), { stdio: 'pipe', env: { ...process.env, LC_ALL: 'C' } });
  child.stdin.on('error', () => undefined);
  if (input === undefined) child.stdin.end();
  else input.pipe(child.stdin);
  const sizes = [];
  resize?.on('data', (piece) => sizes.push(String(piece)));
  if (output !== undefined) child.stdout.pipe(output);
  if (error !== undefined) child.stderr.pipe(error);
  else child.stderr.resume();
  const code = await new Promise((resolve) => {
    child.once('error', () => resolve(127));
    child.once('close', resolve);
  });
  const outcome =
    code === 0
      ? { metadata: {}, status: 'Success' }
      : {
          metadata: {},
          status: 'Failure',
          reason: 'NonZeroExitCode',
          message: `command terminated with exit code ${code}`,
          details: { causes: [{ reason: 'ExitCode', message: String(code) }] },
        };
  status.end(JSON.stringify(outcome));
}

/** Each pair of streams is one connection. */
function forward(stream) {
  if (stream.headers.get('streamtype') === 'error') {
    stream.resume();
    stream.end();
    return;
  }
  const target = connect(Number(stream.headers.get('port')), '127.0.0.1');
  target.on('error', () => stream.destroy());
  stream.pipe(target);
  target.pipe(stream);
}
