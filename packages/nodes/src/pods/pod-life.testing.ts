import type { ContainerStatus, Pod, PodStatus } from '@binnacle/client/kinds/core/v1';
import { isAdmitted, nextPodStep, type PodStep, type Rejection } from './pod-step.js';

export const START = Date.UTC(2027, 0, 4);

/** A pod on a node. */
export function podOn(spec: Partial<NonNullable<Pod['spec']>> = {}, metadata: Partial<Pod['metadata']> = {}): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', namespace: 'n', uid: 'u', generation: 1, ...metadata },
    spec: { nodeName: 'node-0', containers: [{ name: 'c', image: 'img:1' }], ...spec },
    status: { phase: 'Pending', qosClass: 'BestEffort' },
  };
}

/** The step of a pod this many milliseconds after the start. */
export function stepAt(pod: Pod, after: number, rejection?: Rejection): PodStep {
  return nextPodStep({ pod, now: START + after, hostIPs: ['172.16.0.1'], podIPs: ['10.128.0.2'], rejection });
}

/** The pod this many milliseconds after the start, if it is looked at whenever it asks for it, and its history as lines. */
export function live(pod: Pod, until: number, from = 0): { pod: Pod; history: string[]; events: string[] } {
  const history: string[] = [];
  const events: string[] = [];
  let current = pod;
  for (let at = from; ; ) {
    const step = stepAt(current, at);
    if (step.status !== undefined) {
      current = { ...current, status: step.status };
      history.push(`${at / 1000} ${describePod(step.status)}`);
    }
    events.push(...step.events.map(({ reason, message }) => `${reason}: ${message}`));
    if (step.canGo) history.push(`${at / 1000} gone`);
    // What follows from the pod's own write is seen at once.
    const wait = step.lookAgainAfter;
    if (wait === undefined || at + wait > until) {
      if (step.status === undefined || step.lookAgainAfter !== undefined) return { pod: current, history, events };
    } else at += wait;
  }
}

/** The pod after the first look, before its containers start. */
export function admitted(pod: Pod): Pod {
  const { status } = stepAt(pod, 0);
  return status === undefined || isAdmitted(pod) ? pod : { ...pod, status };
}

/** A status as a line. */
export function describePod({ phase, reason, conditions = [], ...status }: PodStatus): string {
  const ready = conditions.find(({ type }) => type === 'Ready')?.status === 'True' ? ' ready' : '';
  const groups = [status.initContainerStatuses, status.containerStatuses, status.ephemeralContainerStatuses];
  const containers = groups.flatMap((group) => group ?? []).map(describeContainer);
  return [`${phase}${ready}`, ...(reason === undefined ? [] : [reason]), ...containers].join(' ');
}

function describeContainer({ name, state, ready, restartCount }: ContainerStatus): string {
  const { running, waiting, terminated } = state ?? {};
  const text = running === undefined ? (waiting?.reason ?? `exit ${terminated?.exitCode}`) : 'runs';
  return `${name}:${text}${ready ? '+' : ''}${restartCount > 0 ? `*${restartCount}` : ''}`;
}
