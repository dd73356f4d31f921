import { getOwn, isObject, isTexts, type JsonObject, type JsonValue } from '@binnacle/apimachinery/json';
import { Pace, type Steps } from '@binnacle/apimachinery/work';
import {
  type ExtenderVerdict,
  type NodeState,
  type PodFacts,
  type Snapshot,
  type Status,
  unresolvable,
  unschedulable,
  type Victims,
} from '../framework/index.js';

/** Some milliseconds of work. */
const SCORES_PER_STEP = 5000;
/** How much of an extender's error the status of a pod shows. */
const LONGEST_ERROR = 16 * 1024;

/** The name of an extender in messages: its URL. */
type Name = string;

/**
 * What the extender says of these nodes, each once. Throws if it reports an error or accepts an unknown node.
 * Upstream: `HTTPExtender.Filter`.
 */
export function readVerdict(answer: JsonValue, nodes: readonly NodeState[], name: Name): ExtenderVerdict {
  const result = objectOf(answer);
  throwReportedError(result);
  const known = new Map(nodes.map((node) => [node.name, node]));
  const feasible = [...new Set(feasibleNames(result))].map((nodeName) => {
    const node = known.get(nodeName);
    if (node !== undefined) return node;
    const [extender, filtered] = [JSON.stringify(name), JSON.stringify(nodeName)];
    throw new Error(
      `extender ${extender} claims a filtered node ${filtered} which is not found in the input node list`,
    );
  });
  const rejected = new Map<string, Status>();
  const failed = objectOf(field(result, 'FailedNodes'));
  const unresolved = objectOf(field(result, 'FailedAndUnresolvableNodes'));
  for (const nodeName of known.keys()) {
    if (Object.hasOwn(failed, nodeName)) rejected.set(nodeName, unschedulable(textOf(failed[nodeName])));
    if (Object.hasOwn(unresolved, nodeName)) rejected.set(nodeName, unresolvable(textOf(unresolved[nodeName])));
  }
  return { feasible, rejected };
}

/** The scores of `[{Host, Score}]`, by host. The last one of a host counts. */
export function* readScores(answer: JsonValue): Steps<ReadonlyMap<string, number>> {
  const scores = new Map<string, number>();
  const pace = new Pace(SCORES_PER_STEP);
  for (const item of Array.isArray(answer) ? answer : []) {
    if (pace.endsStep()) yield;
    scores.set(textOf(field(objectOf(item), 'Host')), numberOf(field(objectOf(item), 'Score')));
  }
  return scores;
}

/** Upstream: `convertToVictims`. Throws if a node or a pod is not in the snapshot. */
export function readVictims(answer: JsonValue, snapshot: Snapshot, name: Name): ReadonlyMap<string, Victims> {
  const victims = Object.entries(objectOf(field(objectOf(answer), 'NodeNameToMetaVictims')));
  return new Map(
    victims.map(([nodeName, given]) => {
      const node = snapshot.node(nodeName);
      if (node === undefined) throw new Error(`nodeinfo not found for node name ${JSON.stringify(nodeName)}`);
      const pods = field(objectOf(given), 'Pods');
      const uids = (Array.isArray(pods) ? pods : []).map((pod) => textOf(field(objectOf(pod), 'UID')));
      const violations = numberOf(field(objectOf(given), 'NumPDBViolations'));
      return [nodeName, { pods: uids.map((uid) => podOf(uid, node, name)), violations }];
    }),
  );
}

/** Throws the error that an answer reports, if it reports one. */
export function throwReportedError(answer: JsonValue): void {
  const error = textOf(field(objectOf(answer), 'Error'));
  if (error !== '') throw new Error(error.slice(0, LONGEST_ERROR));
}

function podOf(uid: string, node: NodeState, name: Name): PodFacts {
  for (const pod of node.pods) if (pod.uid === uid) return pod;
  throw new Error(
    `extender: ${name} claims to preempt pod (UID: &{${uid}}) on node: ${node.name}, but the pod is not found on that node`,
  );
}

/** Names if there are some, otherwise those of whole nodes. */
function feasibleNames(result: JsonObject): readonly string[] {
  const names = field(result, 'NodeNames');
  if (names !== undefined && isTexts(names)) return names;
  const items = field(objectOf(field(result, 'Nodes')), 'items');
  return (Array.isArray(items) ? items : []).map((node) =>
    textOf(field(objectOf(field(objectOf(node), 'metadata')), 'name')),
  );
}

/** Go ignores the case of names. */
function field(object: JsonObject, name: string): JsonValue | undefined {
  const exact = getOwn(object, name);
  if (exact !== undefined) return exact;
  const wanted = name.toLowerCase();
  const key = Object.keys(object).find((each) => each.toLowerCase() === wanted);
  return key === undefined ? undefined : getOwn(object, key);
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isObject(value) ? value : {};
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

function numberOf(value: JsonValue | undefined): number {
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : 0;
}
