import type { JsonObject } from '@binnacle/apimachinery/json';
import type { Health } from './row.js';
import { numberAt, objectAt, objectsAt, textAt } from './reading.js';

export interface State {
  readonly health: Health;
  readonly text: string;
}

/** The server bounds few of the fields that a text is made of. */
const MOST_TEXT = 200;

/** The state of an object in words, by its kind; for other kinds by its conditions and its phase. */
export function stateOf(kind: string, object: JsonObject): State {
  if (objectAt(object, 'metadata')['deletionTimestamp'] !== undefined) return { health: 'busy', text: 'Terminating' };
  // Definitions name their kinds, and one may be called `constructor`.
  const own = Object.hasOwn(STATES, kind) ? STATES[kind] : undefined;
  const { health, text } = (own ?? otherState)(object);
  return { health, text: text.slice(0, MOST_TEXT) };
}

const STATES: Readonly<Record<string, (object: JsonObject) => State>> = {
  Pod: podState,
  Deployment: replicasState,
  ReplicaSet: replicasState,
  ReplicationController: replicasState,
  StatefulSet: replicasState,
  DaemonSet: (object) => {
    const status = objectAt(object, 'status');
    return ofReady(numberAt(status, 'numberReady'), numberAt(status, 'desiredNumberScheduled'));
  },
  Job: jobState,
  CronJob: (object) => ({ health: 'none', text: textAt(objectAt(object, 'spec'), 'schedule') }),
  Node: nodeState,
  Namespace: phaseState,
  PersistentVolume: phaseState,
  PersistentVolumeClaim: phaseState,
  Service: (object) => {
    const spec = objectAt(object, 'spec');
    return { health: 'none', text: `${textAt(spec, 'type')} ${textAt(spec, 'clusterIP')}`.trim() };
  },
  ConfigMap: keysState,
  Secret: keysState,
  Event: (object) => ({
    health: textAt(object, 'type') === 'Warning' ? 'bad' : 'none',
    text: `${textAt(object, 'reason')}: ${textAt(object, 'message') || textAt(object, 'note')}`,
  }),
  Lease: (object) => ({ health: 'none', text: textAt(objectAt(object, 'spec'), 'holderIdentity') }),
};

/** Upstream: the STATUS column of `kubectl get pods`. */
function podState(pod: JsonObject): State {
  const status = objectAt(pod, 'status');
  const phase = textAt(status, 'phase') || 'Pending';
  const containers = [...objectsAt(status, 'initContainerStatuses'), ...objectsAt(status, 'containerStatuses')];
  for (const container of containers) {
    const state = objectAt(container, 'state');
    const waiting = textAt(objectAt(state, 'waiting'), 'reason');
    if (/BackOff|Err|Invalid|Failed/.test(waiting)) return { health: 'bad', text: waiting };
    const ended = objectAt(state, 'terminated');
    if (numberAt(ended, 'exitCode') !== 0) return { health: 'bad', text: textAt(ended, 'reason') || 'Error' };
  }
  if (phase === 'Succeeded') return { health: 'done', text: 'Completed' };
  if (phase === 'Failed') return { health: 'bad', text: textAt(status, 'reason') || 'Failed' };
  if (phase === 'Running') {
    const own = objectsAt(status, 'containerStatuses');
    const ready = own.filter((container) => container['ready'] === true).length;
    if (ready === own.length && own.length > 0) return { health: 'good', text: 'Running' };
    return { health: 'busy', text: `Running, ${ready}/${own.length} ready` };
  }
  const scheduled = objectsAt(status, 'conditions').find(({ type }) => type === 'PodScheduled');
  if (scheduled?.['status'] === 'False') return { health: 'bad', text: textAt(scheduled, 'reason') || 'Unschedulable' };
  return { health: 'busy', text: phase };
}

function replicasState(object: JsonObject): State {
  const status = objectAt(object, 'status');
  const wanted = numberAt(objectAt(object, 'spec'), 'replicas', 1);
  const stuck = objectsAt(status, 'conditions').find(
    ({ type, status: value }) =>
      (type === 'Progressing' && value === 'False') || (type === 'ReplicaFailure' && value === 'True'),
  );
  const state = ofReady(numberAt(status, 'readyReplicas'), wanted);
  return stuck === undefined ? state : { health: 'bad', text: `${state.text}, ${textAt(stuck, 'reason')}` };
}

function ofReady(ready: number, wanted: number): State {
  if (wanted === 0)
    return { health: ready === 0 ? 'done' : 'busy', text: ready === 0 ? 'scaled to 0' : `${ready} left` };
  return { health: ready >= wanted ? 'good' : 'busy', text: `${ready}/${wanted} ready` };
}

function jobState(job: JsonObject): State {
  const status = objectAt(job, 'status');
  const ended = objectsAt(status, 'conditions').find(({ status: value }) => value === 'True');
  if (ended?.['type'] === 'Complete') return { health: 'done', text: 'Complete' };
  if (ended?.['type'] === 'Failed') return { health: 'bad', text: textAt(ended, 'reason') || 'Failed' };
  const wanted = numberAt(objectAt(job, 'spec'), 'completions', 1);
  return { health: 'busy', text: `${numberAt(status, 'succeeded')}/${wanted} complete` };
}

function nodeState(node: JsonObject): State {
  const ready = objectsAt(objectAt(node, 'status'), 'conditions').find(({ type }) => type === 'Ready');
  if (ready?.['status'] !== 'True') return { health: 'bad', text: textAt(ready ?? {}, 'reason') || 'NotReady' };
  const isCordoned = objectAt(node, 'spec')['unschedulable'] === true;
  return isCordoned ? { health: 'busy', text: 'Ready, cordoned' } : { health: 'good', text: 'Ready' };
}

function phaseState(object: JsonObject): State {
  const text = textAt(objectAt(object, 'status'), 'phase');
  const health = /^(Active|Bound|Available)$/.test(text) ? 'good' : /^(Lost|Failed)$/.test(text) ? 'bad' : 'busy';
  return { health, text };
}

function keysState(object: JsonObject): State {
  const keys = Object.keys(objectAt(object, 'data')).length + Object.keys(objectAt(object, 'binaryData')).length;
  return { health: 'none', text: keys === 1 ? '1 key' : `${keys} keys` };
}

/** The conditions that say whether a custom resource is well, the most telling first. */
const SUMMARY_CONDITIONS: readonly string[] = ['Ready', 'Available', 'Established', 'Accepted', 'Healthy', 'Synced'];

/** Custom resources follow a convention: a condition that is `True` when all is well. */
function otherState(object: JsonObject): State {
  const status = objectAt(object, 'status');
  const conditions = objectsAt(status, 'conditions');
  const condition = SUMMARY_CONDITIONS.map((name) => conditions.find(({ type }) => type === name)).find(
    (each) => each !== undefined,
  );
  if (condition === undefined) return { health: 'none', text: textAt(status, 'phase') };
  const type = textAt(condition, 'type');
  if (condition['status'] === 'True') return { health: 'good', text: type };
  const health = condition['status'] === 'False' ? 'bad' : 'busy';
  return { health, text: textAt(condition, 'reason') || `not ${type}` };
}
