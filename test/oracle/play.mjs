import { Agent } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { exchange } from './exchange.mjs';
import { Symbols } from './symbols.mjs';

/** How long a watch is open before the first change, in milliseconds. */
const watchLeadMs = 300;
/** The recorded length of a body that is not JSON, in characters. */
const textLimit = 4000;

/**
 * One request of a scenario; `${name}` in any text stands for a saved value.
 *
 * @typedef {object} Step
 * @property {string} [n] name, by which the recording and the known differences speak of it
 * @property {string} [m] method, default GET
 * @property {string} p path and query
 * @property {unknown} [b] body: a string as it is, anything else as JSON
 * @property {string} [t] content type
 * @property {string} [a] Accept
 * @property {Record<string, string>} [h] further headers
 * @property {{ ms: number }} [watch] the answer is a watch, to be read for so long
 * @property {Step[]} [during] what happens while the watch is open
 * @property {Record<string, string>} [save] variables to set, each to what the answer holds at a path with dots
 * @property {string | null} [tok] a bearer token of its own; null: anonymous
 * @property {number} [wait] no request, but a pause of so many milliseconds
 */

/**
 * An answer as it is recorded. `body` is the JSON with symbols in it (see {@link Symbols}), a list of events for a watch,
 * or the text where it is no JSON.
 *
 * @typedef {object} Result
 * @property {string} name
 * @property {object} request what was asked, before variables were filled in
 * @property {number} status
 * @property {string | undefined} type Content-Type
 * @property {string} [warning]
 * @property {unknown} body
 */

/**
 * Plays steps in order against a server, each after the one before has been answered.
 *
 * @param {Step[]} steps
 * @param {{ url: string, token: string }} server token of a member of system:masters
 * @returns {Promise<Result[]>} one for every step that is a request
 */
export async function play(steps, { url, token }) {
  const agent = new Agent({ keepAlive: true, rejectUnauthorized: false });
  const target = { url: new URL(url), agent };
  const symbols = new Symbols();
  const variables = {};
  const results = [];
  try {
    for (const [index, raw] of steps.entries()) {
      if (raw.wait) {
        await sleep(raw.wait);
        continue;
      }
      const answer = await answerTo(target, raw, variables, token);
      const body = bodyOf(answer.text, raw.watch !== undefined);
      for (const [name, path] of Object.entries(raw.save ?? {})) variables[name] = valueAt(body, path);
      results.push({
        name: raw.n ?? `${index + 1}`,
        request: describeRequest(raw),
        status: answer.status,
        type: answer.headers['content-type'],
        ...(answer.headers.warning ? { warning: answer.headers.warning } : {}),
        body: symbols.replace(body),
      });
    }
  } finally {
    agent.destroy();
  }
  return results;
}

async function answerTo(target, raw, variables, token) {
  const step = fillIn(raw, variables);
  const ownToken = step.tok === null ? undefined : (step.tok ?? token);
  try {
    const answer = exchange(target, step, ownToken);
    if (!raw.during) return await answer;
    // Their answers are not recorded: the watch shows their effects.
    const meanwhile = async () => {
      await sleep(watchLeadMs);
      for (const other of raw.during) await exchange(target, fillIn(other, variables), token);
    };
    return (await Promise.all([answer, meanwhile()]))[0];
  } catch (error) {
    return { status: -1, headers: {}, text: String(error) };
  }
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
    ...(step.during ? { during: step.during } : {}),
  };
}
