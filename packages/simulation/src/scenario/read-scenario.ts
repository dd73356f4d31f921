import { messageOf } from '@binnacle/apimachinery/errors';
import { isObject } from '@binnacle/apimachinery/json';
import { readRule } from '@binnacle/apiserver/faults';
import { MOST_NODES } from '@binnacle/nodes/node/limits';
import { milliseconds } from './durations.js';
import type { Action, ActionParameters, Scenario } from './scenario.js';
import {
  count,
  duration,
  fields,
  flag,
  listOf,
  ScenarioError,
  type Shape,
  share,
  text,
  time,
  wrong,
} from './shapes.js';

export { ScenarioError } from './shapes.js';

/** The most repetitions of an action. More are a mistake. */
const MOST_ACTIONS = 1_000_000;

const faults = fields(
  {},
  {
    watchDelay: count,
    brokenWatches: share,
    expiredWatches: share,
    conflicts: share,
    failedWrites: share,
    lostAnswers: share,
    slowWrites: share,
    writeDelay: count,
    crashes: share,
  },
);

const objectName = { resource: text, name: text };
const namespace = { namespace: text };

const nodeCount: Shape = (value, path) => {
  count(value, path);
  if (Number(value) > MOST_NODES) throw wrong(path, `at most ${MOST_NODES}`);
};

const anyNodes = { nodes: listOf(text), any: count };

function nodeChoice(shape: Shape): Shape {
  return (value, path) => {
    shape(value, path);
    const given = isObject(value) ? ['nodes', 'any'].filter((name) => Object.hasOwn(value, name)) : [];
    if (given.length !== 1) throw new ScenarioError(`${path}: needs either nodes or any`);
  };
}

const object: Shape = (value, path) => {
  const isNamed = isObject(value) && isObject(value['metadata']) && typeof value['metadata']['name'] === 'string';
  const hasKind = isObject(value) && typeof value['kind'] === 'string' && typeof value['apiVersion'] === 'string';
  if (!isNamed || !hasKind) throw wrong(path, 'an object with apiVersion, kind and metadata.name');
};

const rule: Shape = (value, path) => {
  if (!isObject(value)) throw wrong(path, 'a fault rule');
  const { for: length, ...rest } = value;
  if (length !== undefined) duration(length, `${path}.for`);
  try {
    readRule(rest);
  } catch (error) {
    throw new ScenarioError(`${path}: ${messageOf(error)}`, { cause: error });
  }
};

const parameters: Readonly<Record<keyof ActionParameters, Shape>> = {
  apply: listOf(object),
  delete: fields(objectName, namespace),
  scale: fields({ ...objectName, replicas: count }, namespace),
  rollout: fields(objectName, namespace),
  drain: nodeChoice(fields({}, anyNodes)),
  uncordon: nodeChoice(fields({}, anyNodes)),
  deleteNodes: nodeChoice(fields({}, anyNodes)),
  cutOff: nodeChoice(fields({ for: duration }, anyNodes)),
  evict: fields(namespace, { selector: text, atMost: count }),
  kill: fields({ component: text }, { for: duration }),
  faults,
  inject: rule,
};

const action: Shape = (value, path) => {
  fields({ at: duration }, { every: duration, until: duration, ...parameters })(value, path);
  const given = isObject(value) ? Object.keys(value).filter((name) => Object.hasOwn(parameters, name)) : [];
  if (given.length !== 1)
    throw new ScenarioError(`${path}: needs exactly one of ${Object.keys(parameters).join(', ')}`);
};

const scenario = fields(
  { runFor: duration },
  {
    nodes: nodeCount,
    start: time,
    controllers: text,
    elideHeartbeats: flag,
    settles: flag,
    faults,
    actions: listOf(action),
  },
);

/** Checks a scenario of a file or a caller. Throws a {@link ScenarioError}. */
export function readScenario(value: unknown): Scenario {
  scenario(value, '');
  // The shape has checked every field.
  const read = value as Scenario;
  for (const [index, { every }] of (read.actions ?? []).entries()) checkPeriod(every, read, `actions[${index}].every`);
  return read;
}

function checkPeriod(every: Action['every'], { runFor }: Scenario, path: string): void {
  if (every === undefined) return;
  if (!(milliseconds(runFor) / milliseconds(every) <= MOST_ACTIONS)) throw wrong(path, 'a longer time');
}
