import type { Operation } from '../admission/index.js';

/** As upstream's metrics name them. */
export type WebhookType = 'admit' | 'validating';

/** One call of a webhook, for metrics. */
export interface ObservedCall {
  readonly name: string;
  readonly type: WebhookType;
  readonly operation: Operation;
}

export type RejectionCause = 'calling_webhook_error' | 'apiserver_internal_error' | 'no_error';

/** Observes webhooks. It must not throw. */
export interface WebhookObserver {
  /** `code`: 200, the code of a refusal, or 0 for an error of this server. */
  called(call: ObservedCall, seconds: number, code: number, rejected: boolean): void;
  rejected(call: ObservedCall, cause: RejectionCause, code: number): void;
  /** The request continues although the call failed. */
  failedOpen(call: ObservedCall): void;
  /** The match conditions were evaluated, with this many errors. */
  conditions(call: ObservedCall, seconds: number, matched: boolean, errors: number): void;
}
