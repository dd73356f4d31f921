import { messageOf } from '@binnacle/apimachinery/errors';
import { type JsonObject, parseJson } from '@binnacle/apimachinery/json';
import { badRequest, methodNotAllowed, notFound } from '@binnacle/apimachinery/status';
import { respondJson } from '../http/index.js';
import type { Handler, RequestContext } from '../request/index.js';
import { readRule } from './read-rule.js';
import type { Fault, FaultRule } from './rule.js';

const PATH = '/debug/faults';
const LARGEST_RULE_BYTES = 64 * 1024;

/** The rules that the endpoint shows and changes. */
export interface FaultRules {
  add(rule: FaultRule): Fault;
  list(): readonly Fault[];
  find(id: string): Fault | undefined;
  clear(): void;
}

/**
 * `GET` lists the rules, `POST` adds one, `DELETE` removes all. Below it, by id, `GET` returns one rule and `DELETE`
 * removes it. Each response contains the rules concerned, with their hit counts.
 */
export function faultsHandler(faults: FaultRules, path: string): Handler | undefined {
  if (path === PATH) return (context) => answerCollection(faults, context);
  if (!path.startsWith(`${PATH}/`)) return undefined;
  return (context) => answerOne(faults, path.slice(PATH.length + 1), context);
}

async function answerCollection(faults: FaultRules, context: RequestContext): Promise<void> {
  switch (context.exchange.method) {
    case 'GET':
      return respondJson(context, 200, listed(faults.list()));
    case 'POST':
      return respondJson(context, 201, shown(faults.add(readRule(await readBody(context)))));
    case 'DELETE': {
      const removed = listed(faults.list());
      faults.clear();
      return respondJson(context, 200, removed);
    }
    default:
      throw methodNotAllowed();
  }
}

async function answerOne(faults: FaultRules, id: string, context: RequestContext): Promise<void> {
  const { method } = context.exchange;
  if (method !== 'GET' && method !== 'DELETE') throw methodNotAllowed();
  const fault = faults.find(id);
  if (fault === undefined) throw notFound({ group: '', resource: 'faults' }, id);
  if (method === 'DELETE') fault.remove();
  return respondJson(context, 200, shown(fault));
}

async function readBody({ exchange }: RequestContext): Promise<unknown> {
  const body = await exchange.readBody(LARGEST_RULE_BYTES);
  try {
    return parseJson(body).value;
  } catch (error) {
    throw badRequest(`the body is not a rule in JSON: ${messageOf(error)}`);
  }
}

function listed(faults: readonly Fault[]): object {
  return { items: faults.map(shown) };
}

function shown({ id, rule, hits }: Fault): JsonObject {
  const { match = {}, times, action } = rule;
  return {
    id,
    hits,
    match: { ...match },
    ...(times === undefined ? {} : { times }),
    action: { ...action },
  } as JsonObject;
}
