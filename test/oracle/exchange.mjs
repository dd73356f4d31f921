import https from 'node:https';
import { withoutPeriodicBookmarks } from './events.mjs';

const answerTimeoutMs = 70_000;
/** How long a watch is open at most when recorded events have not come, which is a matter of a busy machine's speed. */
const eventsTimeoutMs = 10_000;

/**
 * What came back. A request that could not be sent, or was not answered in 70 s, has status -1 and the error as its text.
 *
 * @typedef {{ status: number, headers: import('node:http').IncomingHttpHeaders, text: string }} Answer
 */

/**
 * One request and its answer. A watch ends after its time, or later, when as many events have come as were recorded. One that sees
 * no event may not even send headers, which is status 0.
 *
 * @param {{ url: URL, agent: https.Agent }} server
 * @param {import('./play.mjs').Step} step its variables filled in
 * @param {string | undefined} token bearer token; undefined: anonymous
 * @param {() => void} [begun] called when the answer begins
 * @returns {Promise<Answer>}
 */
export function exchange({ url, agent }, step, token, begun = () => {}) {
  const payload = bytesOf(step.b);
  return new Promise((resolve, reject) => {
    const chunks = [];
    let status = 0;
    let headers = {};
    let isDue = false;
    const watchTimers = [];
    let over = false;

    const text = () => Buffer.concat(chunks).toString();
    const hasRecorded = () => countEvents(text()) >= (step.watch.events ?? 0);

    const end = () => {
      if (over) return;
      over = true;
      for (const timer of watchTimers) clearTimeout(timer);
      resolve({ status, headers, text: text() });
      request.destroy();
    };
    const request = https.request(
      url,
      { method: step.m ?? 'GET', path: pathOf(step.p), headers: headersOf(step, payload, token), agent },
      (response) => {
        status = response.statusCode;
        headers = response.headers;
        begun();
        response.on('data', (chunk) => {
          chunks.push(chunk);
          if (isDue && hasRecorded()) end();
        });
        response.on('end', end);
        response.on('error', end);
      },
    );
    if (step.watch) {
      const due = () => {
        isDue = true;
        if (hasRecorded()) end();
      };
      watchTimers.push(setTimeout(due, step.watch.ms), setTimeout(end, eventsTimeoutMs));
    }
    request.setTimeout(answerTimeoutMs, () => request.destroy(new Error('no answer in 70 s')));
    request.on('error', (/** @type {Error} */ error) => {
      if (step.watch || over) end();
      else reject(error);
    });
    request.end(payload);
  });
}

function countEvents(text) {
  const lines = text.split('\n').slice(0, -1).filter(Boolean);
  try {
    return withoutPeriodicBookmarks(lines.map((line) => JSON.parse(line))).length;
  } catch {
    // No watch, but text.
    return Number.POSITIVE_INFINITY;
  }
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
