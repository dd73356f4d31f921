import { controllerOf } from '@binnacle/client/controller';
import { Job } from '@binnacle/client/kinds/batch/v1';
import { Pod } from '@binnacle/client/kinds/core/v1';
import { isOf } from '../history/index.js';
import type { Invariant } from './invariant.js';

interface Seen {
  readonly pods: Set<string>;
  readonly succeeded: Set<string>;
}

/** A Job counts each of its pods at most once, and as succeeded only those that have succeeded. */
export function jobCounts(): Invariant {
  const jobs = new Map<string, Seen>();
  return {
    name: 'job-counts',
    check: (_, { type, object }) => {
      if (isOf(Pod, object)) {
        const owner = controllerOf(object);
        if (owner?.kind !== 'Job') return undefined;
        const { pods, succeeded } = seenOf(jobs, owner.uid);
        pods.add(object.metadata.uid ?? '');
        if (object.status?.phase === 'Succeeded') succeeded.add(object.metadata.uid ?? '');
        return undefined;
      }
      if (!isOf(Job, object)) return undefined;
      const { uid = '', name = '' } = object.metadata;
      const { pods, succeeded } = seenOf(jobs, uid);
      if (type === 'delete') jobs.delete(uid);
      const counted = object.status?.succeeded ?? 0;
      const failed = object.status?.failed ?? 0;
      if (counted > succeeded.size)
        return `Job ${name} counts ${counted} succeeded pods, and has had ${succeeded.size}`;
      if (counted + failed > pods.size)
        return `Job ${name} counts ${counted + failed} ended pods, and has had ${pods.size} pods`;
      return undefined;
    },
  };
}

function seenOf(jobs: Map<string, Seen>, uid: string): Seen {
  const present = jobs.get(uid);
  if (present !== undefined) return present;
  const made = { pods: new Set<string>(), succeeded: new Set<string>() };
  jobs.set(uid, made);
  return made;
}
