import https from 'node:https';

const answerTimeoutMs = 70_000;

/**
 * What came back. A request that could not be sent, or was not answered in 70 s, has status -1 and the error as its text.
 *
 * @typedef {{ status: number, headers: import('node:http').IncomingHttpHeaders, text: string }} Answer
 */

/**
 * One request and its answer. A watch ends after its time, whatever has come until then: one that sees no event may not
 * even send headers, which is status 0.
 *
 * @param {{ url: URL, agent: https.Agent }} server
 * @param {import('./play.mjs').Step} step its variables filled in
 * @param {string | undefined} token bearer token; undefined: anonymous
 * @returns {Promise<Answer>}
 */
export function exchange({ url, agent }, step, token) {
  const payload = bytesOf(step.b);
  return new Promise((resolve, reject) => {
    const chunks = [];
    let status = 0;
    let headers = {};
    let watchTimer;
    let over = false;

    const end = () => {
      if (over) return;
      over = true;
      clearTimeout(watchTimer);
      resolve({ status, headers, text: Buffer.concat(chunks).toString() });
      request.destroy();
    };
    const request = https.request(
      url,
      { method: step.m ?? 'GET', path: pathOf(step.p), headers: headersOf(step, payload, token), agent },
      (response) => {
        status = response.statusCode;
        headers = response.headers;
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('end', end);
        response.on('error', end);
      },
    );
    if (step.watch) watchTimer = setTimeout(end, step.watch.ms);
    request.setTimeout(answerTimeoutMs, () => request.destroy(new Error('no answer in 70 s')));
    request.on('error', (/** @type {Error} */ error) => {
      if (step.watch || over) end();
      else reject(error);
    });
    request.end(payload);
  });
}

function bytesOf(body) {
  if (body === undefined) return undefined;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

/** Scenarios write unescaped paths, except where they escape parts themselves. */
const pathOf = (path) => encodeURI(path).replace(/%25/g, '%');

function headersOf(step, payload, token) {
  return {
    accept: step.a ?? 'application/json',
    ...(token ? { authorization: `Bearer ${token}` } : {}),
    ...(payload ? { 'content-type': step.t ?? 'application/json', 'content-length': payload.length } : {}),
    ...step.h,
  };
}
