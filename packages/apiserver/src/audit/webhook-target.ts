import { Buffer } from 'node:buffer';
import type { Clock } from '@binnacle/apimachinery/clock';
import type { RemoteService } from '../webhooks/index.js';
import type { AuditEvent } from './event.js';
import type { AuditTarget } from './sink.js';

const TIMEOUT_SECONDS = 30;
/** A larger batch is sent in several requests. Upstream: `--audit-webhook-truncate-max-batch-size`. */
const LARGEST_BATCH_BYTES = 10 * 1024 * 1024;
const HEAD = '{"kind":"EventList","apiVersion":"audit.k8s.io/v1","metadata":{},"items":[';
const TAIL = ']}\n';

/** Posts batches to a service. Upstream: apiserver `plugin/pkg/audit/webhook`. */
export class WebhookTarget implements AuditTarget {
  readonly #service: Pick<RemoteService, 'post'>;
  readonly #clock: Clock;
  readonly #closing = new AbortController();

  constructor(service: Pick<RemoteService, 'post'>, clock: Clock) {
    this.#service = service;
    this.#clock = clock;
  }

  async send(events: readonly AuditEvent[]): Promise<void> {
    for (const body of bodiesOf(events)) {
      const { signal } = this.#closing;
      await this.#service.post(body, { timeoutSeconds: TIMEOUT_SECONDS, deadline: Number.POSITIVE_INFINITY, signal });
    }
  }

  /** Aborts requests after a while. Events that are not sent by then are lost. */
  endSoon(withinMs: number): void {
    this.#clock.setTimer(() => this.#closing.abort(new Error('the server has stopped')), withinMs).unref();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

function* bodiesOf(events: readonly AuditEvent[]): Generator<Buffer> {
  let items: string[] = [];
  let size = 0;
  for (const { json } of events) {
    if (items.length > 0 && size + json.length > LARGEST_BATCH_BYTES) {
      yield Buffer.from(HEAD + items.join(',') + TAIL);
      items = [];
      size = 0;
    }
    items.push(json);
    size += json.length;
  }
  if (items.length > 0) yield Buffer.from(HEAD + items.join(',') + TAIL);
}
