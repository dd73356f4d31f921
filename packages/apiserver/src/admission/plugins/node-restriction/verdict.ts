import { notFound, type StatusError } from '@binnacle/apimachinery/status';

/** What is wrong with a request of a node's, in upstream's words. */
export type Verdict = string | undefined;

/** Upstream's listers name what they miss in the singular: `pod "a" not found`. */
export function missing(kind: string, name: string): StatusError {
  return notFound({ group: '', resource: kind }, name);
}
