import type { EventSubject } from '@binnacle/client/events';
import type { Node } from '@binnacle/client/kinds/core/v1';
import { findCondition } from './conditions.js';

export function isNodeReady({ status }: Node): boolean {
  return findCondition(status?.conditions, 'Ready')?.status === 'True';
}

/** A node as the subject of an event. Upstream: without a version. */
export function nodeReference({ metadata: { name = '', uid } }: Node): EventSubject {
  return { apiVersion: 'v1', kind: 'Node', name, ...(uid === undefined ? {} : { uid }) };
}
