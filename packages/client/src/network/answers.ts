import { conflict, internalError, resourceExpired, type StatusError } from '@binnacle/apimachinery/status';
import type { RequestFacts } from './request-facts.js';

/** A complete response. */
export interface WholeAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

export function conflictAnswer({ group, resource, name }: RequestFacts): WholeAnswer {
  const cause = 'the object has been modified; please apply your changes to the latest version and try again';
  return answerOf(conflict({ group, resource: resource.replace(/\/.*/, '') }, name, cause));
}

export const failureAnswer = (): WholeAnswer => answerOf(internalError(new Error('the request has failed')));

export const expiredAnswer = (): WholeAnswer => answerOf(resourceExpired('too old resource version'));

function answerOf({ code, status }: StatusError): WholeAnswer {
  return { status: code, headers: { 'content-type': 'application/json' }, body: Buffer.from(JSON.stringify(status)) };
}
