import { inspect } from 'node:util';
import { type ReconcileRequest, requestKey } from './request.js';

export interface ReconcileErrorOptions {
  readonly cause: unknown;
  /** How often in a row it has failed now. */
  readonly failures: number;
  readonly willRetry: boolean;
}

/** What is reported when a reconcile fails; the cause is what it has thrown. */
export class ReconcileError extends Error {
  override readonly name = 'ReconcileError';
  readonly controller: string;
  readonly request: ReconcileRequest;
  readonly failures: number;
  readonly willRetry: boolean;

  constructor(controller: string, request: ReconcileRequest, { cause, failures, willRetry }: ReconcileErrorOptions) {
    const why = cause instanceof Error ? cause.message : inspect(cause);
    const next = willRetry
      ? `failed ${failures === 1 ? 'once' : `${failures} times`}`
      : 'failed, and is not tried again';
    super(`controller ${controller}: the reconcile of ${requestKey(request)} ${next}: ${why}`, { cause });
    this.controller = controller;
    this.request = request;
    this.failures = failures;
    this.willRetry = willRetry;
  }
}
