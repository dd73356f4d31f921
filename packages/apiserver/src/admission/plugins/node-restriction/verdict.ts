import { notFound, type StatusError } from '@binnacle/apimachinery/status';

/** The reason to refuse a node's request, in upstream's words; undefined when the request is allowed. */
export type Verdict = string | undefined;

/** Upstream's listers name a missing object in the singular: `pod "a" not found`. */
export function missing(kind: string, name: string): StatusError {
  return notFound({ group: '', resource: kind }, name);
}
