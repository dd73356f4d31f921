import { createServer } from 'node:http';
import { request } from 'node:https';

/**
 * A plain HTTP proxy to a server. It passes requests on as administrator, and records those that match in `requests`,
 * as `{ method, path, type, body, status }`. Clients only need its `url`.
 */
export async function startRecordingProxy(config, pattern) {
  const requests = [];
  const proxy = createServer(async (incoming, outgoing) => {
    const chunks = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const { method, url, headers } = incoming;
    const forwarded = { ...headers, authorization: `Bearer ${config.token}` };
    delete forwarded.host;
    request(new URL(url, config.server), { method, headers: forwarded, ca: config.certificateAuthority })
      .on('response', (response) => {
        if (pattern.test(url)) {
          const type = headers['content-type'] ?? '';
          requests.push({ method, path: url, type, body: body.toString(), status: response.statusCode });
        }
        outgoing.writeHead(response.statusCode, response.headers);
        response.pipe(outgoing);
      })
      .on('error', () => outgoing.destroy())
      .end(body);
  });
  await new Promise((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${proxy.address().port}`,
    requests,
    /** The requests recorded since the last call. */
    taken: () => requests.splice(0),
    stop: () =>
      new Promise((resolve) => {
        proxy.closeAllConnections();
        proxy.close(resolve);
      }),
  };
}
