import { isObject } from '@binnacle/apimachinery/json';
import { badRequest, type StatusError } from '@binnacle/apimachinery/status';
import type { FaultAction, FaultMatch, FaultRule, Wanted, WatchEnding } from './rule.js';

const MATCH_FIELDS = ['verb', 'group', 'version', 'resource', 'subresource', 'namespace', 'name', 'user'] as const;
/** The match fields that identify the cache of a resource. */
const CACHE_FIELDS: readonly string[] = ['group', 'resource'];
const WATCH_ENDINGS: readonly WatchEnding[] = ['end', 'break', 'expire'];
const LONGEST_DELAY_MS = 3_600_000;

type Fields = Readonly<Record<string, unknown>>;

/** Parses an untrusted rule. Throws 400 with the field at fault and the expected value. */
export function readRule(value: unknown): FaultRule {
  const rule = fieldsOf(value, 'the rule', ['match', 'times', 'action']);
  const match = readMatch(rule['match'] ?? {});
  const action = readAction(rule['action']);
  const times = optionalInteger(rule, '', 'times', 1, Number.MAX_SAFE_INTEGER);
  if (action.type === 'holdCache') checkHold(match, times);
  return { match, times, action };
}

function readMatch(value: unknown): FaultMatch {
  const fields = fieldsOf(value, 'match', MATCH_FIELDS);
  const match: { -readonly [K in keyof FaultMatch]: Wanted } = {};
  for (const name of MATCH_FIELDS) {
    const wanted = fields[name];
    if (wanted === undefined) continue;
    if (!isWanted(wanted)) throw wrong(`match.${name}`, 'a string or a list of strings');
    match[name] = wanted;
  }
  return match;
}

function isWanted(value: unknown): value is Wanted {
  return typeof value === 'string' || (Array.isArray(value) && value.every((each) => typeof each === 'string'));
}

function readAction(value: unknown): FaultAction {
  if (!isObject(value)) throw wrong('action', 'an object with a type');
  const { type } = value;
  switch (type) {
    case 'answer': {
      const fields = fieldsOf(value, 'action', ['type', 'code', 'message', 'retryAfterSeconds']);
      const { message } = fields;
      if (message !== undefined && typeof message !== 'string') throw wrong('action.message', 'a string');
      const code = optionalInteger(fields, 'action.', 'code', 400, 599);
      if (code === undefined) throw wrong('action.code', 'an HTTP status from 400 to 599');
      return {
        type,
        code,
        message,
        retryAfterSeconds: optionalInteger(fields, 'action.', 'retryAfterSeconds', 0, 3600),
      };
    }
    case 'delay': {
      const fields = fieldsOf(value, 'action', ['type', 'milliseconds']);
      const milliseconds = optionalInteger(fields, 'action.', 'milliseconds', 0, LONGEST_DELAY_MS);
      if (milliseconds === undefined) throw wrong('action.milliseconds', 'a whole number');
      return { type, milliseconds };
    }
    case 'cutWatch': {
      const fields = fieldsOf(value, 'action', ['type', 'afterEvents', 'how']);
      const how = WATCH_ENDINGS.find((ending) => ending === (fields['how'] ?? 'end'));
      if (how === undefined) throw wrong('action.how', 'end, break or expire');
      return { type, afterEvents: optionalInteger(fields, 'action.', 'afterEvents', 0, Number.MAX_SAFE_INTEGER), how };
    }
    case 'drop':
    case 'holdCache':
      fieldsOf(value, 'action', ['type']);
      return { type };
    default:
      throw wrong('action.type', 'answer, delay, drop, cutWatch or holdCache');
  }
}

function checkHold(match: FaultMatch, times: number | undefined): void {
  if (times !== undefined) throw badRequest('times: holdCache lasts until it is removed, so it cannot be counted');
  for (const name of Object.keys(match)) {
    if (!CACHE_FIELDS.includes(name)) throw badRequest(`match.${name}: holdCache goes by group and resource alone`);
  }
}

function optionalInteger(fields: Fields, where: string, name: string, least: number, most: number): number | undefined {
  const value = fields[name];
  if (value === undefined) return undefined;
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < least || value > most) {
    const range = most === Number.MAX_SAFE_INTEGER ? `from ${least} up` : `from ${least} to ${most}`;
    throw wrong(where + name, `a whole number ${range}`);
  }
  return value;
}

function fieldsOf(value: unknown, what: string, known: readonly string[]): Fields {
  if (!isObject(value)) throw wrong(what, 'an object');
  const unknown = Object.keys(value).find((name) => !known.includes(name));
  if (unknown === undefined) return value;
  throw badRequest(`${what} has no field ${JSON.stringify(unknown)}; it may have ${known.join(', ')}`);
}

function wrong(field: string, expected: string): StatusError {
  return badRequest(`${field}: must be ${expected}`);
}
