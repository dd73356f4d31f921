import { formatDuration } from '@binnacle/apimachinery/time';
import { deepEqual } from '@binnacle/apimachinery/json';
import { asJson } from '@binnacle/apimachinery/meta';
import { Deployment, ReplicaSet, StatefulSet } from '@binnacle/client/kinds/apps/v1';
import { Job } from '@binnacle/client/kinds/batch/v1';
import { Event, Node, Pod } from '@binnacle/client/kinds/core/v1';
import { PodDisruptionBudget } from '@binnacle/client/kinds/policy/v1';
import type { ResourceType, TypedObject } from '@binnacle/client/typed';
import { isOf } from './cluster-state.js';
import type { StoreEvent } from './store-event.js';

/** One line without a line feed: step, time since the start, author, request, object, and its state. */
export function describeEvent(event: StoreEvent, start: number): string {
  const { step, at, author, object, type, before, after } = event;
  const { namespace, name = '' } = object.metadata;
  const who = author === undefined ? 'the server' : author.user;
  const what = author === undefined ? type : `${author.verb} ${author.resource}`;
  const where = `${object.kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
  const summary = after === undefined ? 'is gone' : (summaryOf(after) ?? changedParts(before, after));
  return [`#${step}`, describeTime(at - start), who, what, where, summary].filter((part) => part !== '').join('  ');
}

/** `+1h2m3.004s`. */
export function describeTime(milliseconds: number): string {
  return `+${formatDuration(BigInt(Math.round(milliseconds)) * 1_000_000n)}`;
}

interface Summary {
  readonly of: (object: TypedObject) => string | undefined;
}

function summary<T extends TypedObject>(type: ResourceType<T>, describe: (object: T) => string): Summary {
  return { of: (object) => (isOf(type, object) ? describe(object) : undefined) };
}

const SUMMARIES: readonly Summary[] = [
  summary(Pod, ({ spec, status, metadata }) => {
    const isReady = status?.conditions?.some((each) => each.type === 'Ready' && each.status === 'True') === true;
    const parts = [status?.phase ?? 'Pending', isReady ? 'ready' : 'not ready', spec?.nodeName ?? 'no node'];
    return [...parts, ...(metadata.deletionTimestamp === undefined ? [] : ['terminating'])].join(', ');
  }),
  summary(Node, ({ spec, status }) => {
    const ready = status?.conditions?.find(({ type }) => type === 'Ready')?.status ?? 'not reported';
    const taints = (spec?.taints ?? []).map(({ key, effect }) => `${key}:${effect}`);
    return [`Ready ${ready}`, ...(spec?.unschedulable === true ? ['cordoned'] : []), ...taints].join(', ');
  }),
  summary(Deployment, ({ spec, status }) => replicas(spec?.replicas, status?.replicas, status?.availableReplicas)),
  summary(ReplicaSet, ({ spec, status }) => replicas(spec?.replicas, status?.replicas, status?.availableReplicas)),
  summary(StatefulSet, ({ spec, status }) => replicas(spec?.replicas, status?.replicas, status?.availableReplicas)),
  summary(Job, ({ status }) => {
    const { active = 0, succeeded = 0, failed = 0 } = status ?? {};
    return `${active} active, ${succeeded} succeeded, ${failed} failed`;
  }),
  summary(PodDisruptionBudget, ({ status }) => `${status?.disruptionsAllowed ?? 0} disruptions allowed`),
  summary(Event, ({ reason = '', message = '', involvedObject }) => {
    return `${involvedObject.kind ?? ''} ${involvedObject.name ?? ''}: ${reason}: ${message}`;
  }),
];

function replicas(wanted = 1, present = 0, available = 0): string {
  return `${wanted} wanted, ${present} present, ${available} available`;
}

function summaryOf(object: TypedObject): string | undefined {
  for (const { of } of SUMMARIES) {
    const text = of(object);
    if (text !== undefined) return text;
  }
  return undefined;
}

function changedParts(before: TypedObject | undefined, after: TypedObject): string {
  if (before === undefined) return '';
  const [old, current] = [asJson(before), asJson(after)];
  const changed = Object.keys({ ...old, ...current }).filter((key) => !deepEqual(old[key], current[key]));
  return changed.length === 0 ? '' : `changes ${changed.join(', ')}`;
}
