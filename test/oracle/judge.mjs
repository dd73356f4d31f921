import { differences } from './differences.mjs';
import { withoutPeriodicBookmarks } from './events.mjs';
import { maskUnordered } from './mask.mjs';
import { SymbolPairs } from './symbol-pairs.mjs';

/** Their bodies describe the process and not its behaviour. */
const comparedByStatusOnly = new Set(['readyz verbose', 'paths', 'anonymous version']);

/**
 * What a step came to. `status`: same status code and, for an error, the same reason. `exact`: besides, same content type,
 * warnings and body. `differences` is empty if exact.
 *
 * @typedef {{ step: string, request: object, status: boolean, exact: boolean, differences: string[] }} Verdict
 */

/**
 * Holds the answers of one scenario against the recorded ones, which are in the same order.
 *
 * @param {import('./play.mjs').Result[]} recorded
 * @param {import('./play.mjs').Result[]} given
 * @returns {Verdict[]} steps are named as recorded; the second of a name is `name (2)`
 */
export function judge(recorded, given) {
  const pairs = new SymbolPairs();
  const seen = new Map();
  return recorded.map((wanted, index) => {
    const count = (seen.get(wanted.name) ?? 0) + 1;
    seen.set(wanted.name, count);
    const step = count === 1 ? wanted.name : `${wanted.name} (${count})`;
    return { step, request: wanted.request, ...judgeStep(wanted, given[index], pairs) };
  });
}

function judgeStep(wanted, answer, pairs) {
  // Setup steps create objects that a server with control loops may already have.
  if (wanted.name.startsWith('setup')) return { status: true, exact: true, differences: [] };
  const sameCode = wanted.status === answer.status;
  const status = sameCode && (wanted.status < 400 || wanted.body?.reason === answer.body?.reason);
  const found = status && comparedByStatusOnly.has(wanted.name) ? [] : differencesOfStep(wanted, answer, pairs);
  return { status, exact: status && found.length === 0, differences: found };
}

function differencesOfStep(wanted, answer, pairs) {
  if (wanted.status !== answer.status) {
    const message = (result) => `${result.status} ${result.body?.message ?? ''}`;
    return [`status ${message(answer)}, recorded ${message(wanted)}`];
  }
  const found = [];
  if (wanted.type !== answer.type) found.push(`content type ${answer.type}, recorded ${wanted.type}`);
  if (maskUnordered(wanted.warning) !== maskUnordered(answer.warning)) {
    found.push(`warning ${answer.warning}, recorded ${wanted.warning}`);
  }
  if (wanted.headers !== undefined) found.push(...differences(wanted.headers, answer.headers, pairs));
  found.push(...differences(withoutPeriodicBookmarks(wanted.body), withoutPeriodicBookmarks(answer.body), pairs));
  return found;
}
