import { Agent } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { withoutPeriodicBookmarks } from './events.mjs';
import { exchange } from './exchange.mjs';
import { Symbols } from './symbols.mjs';

/** How long a watch is open before the first change, in milliseconds, and how long its answer may take to begin. */
const watchLeadMs = 300;
const watchBeginLimitMs = 5000;
/** The recorded length of a body that is not JSON, in characters. */
const textLimit = 4000;
/** How long a step with `until` asks again by default, and how often, in milliseconds. */
const untilLimitMs = 120_000;
const untilPauseMs = 250;
/** How long to wait for what was recorded in a file or at a webhook: a server that is busy writes later. */
const observedLimitMs = 10_000;

/**
 * One step of a scenario, in most cases a request; a saved value replaces `${name}` in any text.
 *
 * @typedef {object} Step
 * @property {string} [n] name, by which the recording and the known differences speak of it
 * @property {string} [m] method, default GET
 * @property {string} [p] path and query of a request
 * @property {unknown} [b] body: a string as it is, anything else as JSON
 * @property {string} [t] content type
 * @property {string} [a] Accept
 * @property {Record<string, string>} [h] further headers
 * @property {{ ms: number, events?: number }} [watch] the answer is a watch, to be read for so long, and until it has so many events
 * @property {Step[]} [during] what happens while the watch is open
 * @property {Record<string, string>} [save] variables to set, each to what the answer holds at a path with dots
 * @property {string | null} [tok] a bearer token of its own; null: anonymous
 * @property {string} [cert] name of a client certificate of the world, which then replaces the token
 * @property {string[]} [hd] response headers to record
 * @property {string | { lacks: string } | { status: number }} [until] ask again until the answer has this text, lacks it,
 *   or has this status
 * @property {number} [within] how long to ask again, in milliseconds
 * @property {number} [wait] no request, but a pause of so many milliseconds
 * @property {string} [act] no request, but an act of the world
 * @property {string} [received] no request; the answer is what the world was sent at this path since the last question
 * @property {string} [lines] no request; the answer is the lines that a file has gained
 */

/**
 * What a scenario has around the server: webhooks, backends, issuers.
 *
 * @typedef {object} World
 * @property {Record<string, string>} [vars] variables for `${name}`
 * @property {Record<string, { cert: string, key: string }>} [certs] client certificates, in PEM
 * @property {(path: string) => unknown[]} [received]
 * @property {(file: string) => Promise<unknown[]>} [lines]
 * @property {Record<string, () => unknown>} [acts]
 * @property {() => Promise<void>} [teardown]
 */

/**
 * An answer as it is recorded. `body` is the JSON with symbols in it (see {@link Symbols}), a list of events for a watch,
 * or the text where it is not JSON.
 *
 * @typedef {object} Result
 * @property {string} name
 * @property {object} request what was asked, before variables were filled in
 * @property {number} status
 * @property {string | undefined} type Content-Type
 * @property {string} [warning]
 * @property {Record<string, string | null>} [headers] those that the step names
 * @property {unknown} body
 */

/**
 * Plays steps in order against a server, each after the one before has been answered.
 *
 * @param {Step[]} steps
 * @param {{ url: string, token: string }} server token of a member of system:masters
 * @param {World} [world]
 * @param {Result[]} [recorded] watches are read until they have the events of the recording
 * @returns {Promise<Result[]>} one for every step but pauses and acts
 */
export async function play(steps, { url, token }, world = {}, recorded = []) {
  const agents = new Agents(world.certs ?? {});
  const target = { url: new URL(url), agents, token };
  const symbols = new Symbols();
  const variables = { ...world.vars };
  const results = [];
  try {
    for (const [index, raw] of steps.entries()) {
      if (raw.wait) await sleep(raw.wait);
      else if (raw.act) await world.acts[raw.act]();
      else if (raw.received || raw.lines)
        results.push(await observed(raw, recorded[results.length], { world, symbols }));
      else {
        const step = awaiting(raw, recorded[results.length]);
        results.push(await asked(step, `${index + 1}`, { target, variables, symbols }));
      }
    }
  } finally {
    agents.destroy();
  }
  return results;
}

function awaiting(step, recorded) {
  if (step.watch === undefined || !Array.isArray(recorded?.body)) return step;
  return { ...step, watch: { ...step.watch, events: withoutPeriodicBookmarks(recorded.body).length } };
}

/** Kept connections: one agent for each client certificate, and one without. */
class Agents {
  #certificates;
  #byName = new Map();

  constructor(certificates) {
    this.#certificates = certificates;
  }

  for(name) {
    let agent = this.#byName.get(name);
    if (agent === undefined) {
      agent = new Agent({ keepAlive: true, rejectUnauthorized: false, ...this.#certificates[name] });
      this.#byName.set(name, agent);
    }
    return agent;
  }

  destroy() {
    for (const agent of this.#byName.values()) agent.destroy();
  }
}

async function observed({ n, received, lines }, recorded, { world, symbols }) {
  const more = () => (received === undefined ? world.lines(lines) : world.received(received));
  const seen = [...(await more())];
  const end = performance.now() + observedLimitMs;
  while (seen.length < (recorded?.body.length ?? 0) && performance.now() < end) {
    await sleep(untilPauseMs);
    seen.push(...(await more()));
  }
  // Which requests come before the first measured step depends on the time.
  const body = n.startsWith('setup') ? [] : symbols.replace(seen);
  return { name: n, request: received === undefined ? { lines } : { received }, status: 0, body };
}

async function asked(raw, number, { target, variables, symbols }) {
  const answer = await answerTo(target, raw, variables);
  const body = bodyOf(answer.text, raw.watch !== undefined);
  for (const [name, path] of Object.entries(raw.save ?? {})) variables[name] = valueAt(body, path);
  return {
    name: raw.n ?? number,
    request: describeRequest(raw),
    status: answer.status,
    type: answer.headers['content-type'],
    ...(answer.headers.warning ? { warning: answer.headers.warning } : {}),
    ...(raw.hd ? { headers: symbols.replace(namedHeaders(answer.headers, raw.hd)) } : {}),
    body: symbols.replace(body),
  };
}

const namedHeaders = (headers, names) => Object.fromEntries(names.map((name) => [name, headers[name] ?? null]));

async function answerTo(target, raw, variables) {
  const step = fillIn(raw, variables);
  try {
    if (!raw.during) return await answerUntil(target, step);
    // Their answers are not recorded: the watch shows their effects.
    let begin;
    const begun = new Promise((resolve) => (begin = resolve));
    const meanwhile = async () => {
      await Promise.all([
        sleep(watchLeadMs),
        Promise.race([begun, sleep(watchBeginLimitMs, undefined, { ref: false })]),
      ]);
      for (const other of raw.during) await send(target, fillIn(other, variables));
    };
    return (await Promise.all([send(target, step, begin), meanwhile()]))[0];
  } catch (error) {
    return { status: -1, headers: {}, text: String(error) };
  }
}

async function answerUntil(target, step) {
  const end = performance.now() + (step.within ?? untilLimitMs);
  for (;;) {
    const answer = await send(target, step);
    if (step.until === undefined || isAsAwaited(step.until, answer) || performance.now() > end) return answer;
    await sleep(untilPauseMs);
  }
}

/** Sends once more when a kept connection ended under the request. */
async function send({ url, agents, token }, step, begun) {
  const own = step.tok === null || (step.cert && !step.tok) ? undefined : (step.tok ?? token);
  const once = () => exchange({ url, agent: agents.for(step.cert) }, step, own, begun);
  try {
    return await once();
  } catch (error) {
    if (error.code !== 'ECONNRESET') throw error;
    return once();
  }
}

function isAsAwaited(until, { status, text }) {
  if (typeof until === 'string') return text.includes(until) || text.includes(until.replace('": ', '":'));
  return until.lacks === undefined ? status === until.status : !text.includes(until.lacks);
}

/** A variable that no answer has set becomes `UNSET_name`. */
function fillIn(value, variables) {
  if (typeof value === 'string') return value.replace(/\$\{(\w+)\}/g, (_, name) => variables[name] ?? `UNSET_${name}`);
  if (Array.isArray(value)) return value.map((item) => fillIn(item, variables));
  if (!value || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, fillIn(field, variables)]));
}

function bodyOf(text, isWatch) {
  try {
    if (!isWatch) return JSON.parse(text);
    return text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  } catch {
    return text.slice(0, textLimit);
  }
}

const valueAt = (value, path) => path.split('.').reduce((found, key) => found?.[key], value);

function describeRequest(step) {
  return {
    method: step.m ?? 'GET',
    path: step.p,
    ...(step.b !== undefined ? { body: step.b } : {}),
    ...(step.t ? { contentType: step.t } : {}),
    ...(step.a ? { accept: step.a } : {}),
    ...(step.h ? { headers: step.h } : {}),
    ...(step.cert ? { cert: step.cert } : {}),
    ...(step.during ? { during: step.during } : {}),
  };
}
