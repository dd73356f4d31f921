/** A play against its recording. */
import { eventKey } from './events.mjs';

const ANY = '<any>';

/**
 * `exact`: all is as recorded. `settled`: every condition held and every answer has the recorded code, but a snapshot, a
 * text or an event differs. `differs`: a condition did not hold in time, or an answer has another code.
 */
export function judge(recorded, played) {
  const differences = [];
  let isSettled = true;
  for (const [index, step] of recorded.entries()) {
    const own = played[index] ?? {};
    if (step.settled !== undefined) {
      if (step.ok === ANY || step.ok === own.ok) continue;
      isSettled = false;
      differences.push(`not settled: ${step.settled}${own.message ? ` ${own.message}` : ''}`);
    } else if (step.do !== undefined) {
      if (step.status !== ANY && step.status !== own.status) isSettled = false;
      differences.push(...differencesOf(step, own, step.do));
    } else if (step.snapshot !== undefined) {
      for (const [kind, objects] of Object.entries(step.objects))
        differences.push(...differencesOf(objects, own.objects?.[kind] ?? [], `${step.snapshot}: ${kind}`));
    } else if (step.events !== undefined) {
      differences.push(...differencesOfEvents(step.events, own.events ?? []));
    }
  }
  return { verdict: isSettled ? (differences.length === 0 ? 'exact' : 'settled') : 'differs', differences };
}

function differencesOf(recorded, own, path, found = []) {
  if (recorded === ANY) return found;
  if (Array.isArray(recorded) && Array.isArray(own)) {
    if (recorded.length !== own.length) found.push(`${path} has ${own.length} items, recorded ${recorded.length}`);
    for (let index = 0; index < Math.min(recorded.length, own.length); index++) {
      const label = recorded[index]?.metadata?.name ?? recorded[index]?.type ?? index;
      differencesOf(recorded[index], own[index], `${path}[${label}]`, found);
    }
  } else if (isObject(recorded) && isObject(own)) {
    for (const field of new Set([...Object.keys(recorded), ...Object.keys(own)])) {
      if (recorded[field] === ANY) continue;
      if (!(field in own)) found.push(`${path}.${field} missing (recorded ${brief(recorded[field])})`);
      else if (!(field in recorded)) found.push(`${path}.${field} extra (${brief(own[field])})`);
      else differencesOf(recorded[field], own[field], `${path}.${field}`, found);
    }
  } else if (recorded !== own) found.push(`${path}: ${brief(own)} recorded ${brief(recorded)}`);
  return found;
}

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const brief = (value) => JSON.stringify(value)?.slice(0, 300);

function differencesOfEvents(recorded, played) {
  const rest = new Map(played.map((event) => [eventKey(event), event]));
  const found = [];
  for (const event of recorded) {
    const own = rest.get(eventKey(event));
    rest.delete(eventKey(event));
    if (own === undefined) {
      if (event.sometimes !== true) found.push(`event missing: ${describe(event)}`);
    } else if (event.count !== ANY && event.count !== own.count) {
      found.push(`event ${event.kind} ${event.name} ${event.reason}: ${own.count} times, recorded ${event.count}`);
    }
  }
  return [...found, ...Array.from(rest.values(), (event) => `event extra: ${describe(event)}`)];
}

const describe = ({ kind, name, reason, message, from }) => `${kind} ${name} ${reason}: ${message} (${from})`;
