import type { Clock } from '@binnacle/apimachinery/clock';
import type { Ticket, Work } from '../fairqueuing/index.js';
import { isLongRunning, refuseAsTooMany } from '../filters/index.js';
import type { Filter, RequestContext } from '../request/index.js';
import { type Classification, distinguisherOf } from './classifier.js';
import type { FlowControl } from './flow-control.js';
import { type CollectionSize, type EstimatedRequest, estimateWork, isEstimatedWrite } from './work-estimate.js';
import { WatchCounts } from './watch-counts.js';

const FLOW_SCHEMA_HEADER = 'x-kubernetes-pf-flowschema-uid';
const PRIORITY_LEVEL_HEADER = 'x-kubernetes-pf-prioritylevel-uid';

/** The part of its time for which a request may wait in a queue. */
const WAITING_SHARE = 1 / 4;
/** The time of a request without a deadline, in milliseconds. Upstream: `--request-timeout`. */
const UNLIMITED_REQUEST_MS = 60_000;
const LONGEST_WAIT_MS = 60_000;

export interface PriorityAndFairnessOptions {
  readonly control: FlowControl;
  readonly clock: Clock;
  /** The size of the collection that a list would read; undefined: none of this server. */
  readonly size: (request: EstimatedRequest) => CollectionSize | undefined;
  /** Called when a request begins to wait in a queue, and when it no longer does. */
  readonly onQueued: (context: RequestContext, waits: boolean) => void;
  /** Called for each refused request. */
  readonly onRefused: (context: RequestContext) => void;
}

/** A request that waits or executes under flow control. */
export interface Admission {
  readonly context: RequestContext;
  readonly classification: Classification;
  /** Tells its flow from others of the flow schema. */
  readonly distinguisher: string;
  readonly ticket: Ticket;
  /** Set for a watch that has begun. */
  forgetWatch: (() => void) | undefined;
}

export interface PriorityAndFairness {
  /** Belongs behind authentication and impersonation, and before any part of a body is read. */
  readonly filter: Filter;
  /** The requests that wait or execute. */
  readonly admissions: Iterable<Admission>;
}

/**
 * Lets each request start when its priority level has seats for it. A watch gives back its seats when its first events are
 * sent, or its client does not read them; other long-running requests need none. Upstream: apiserver `pkg/server/filters/priority-and-fairness.go`.
 */
export function priorityAndFairness(options: PriorityAndFairnessOptions): PriorityAndFairness {
  const desk = new AdmissionDesk(options);
  return {
    filter: {
      name: 'priority-and-fairness',
      enter: (context) => desk.enter(context),
      leave: (context) => desk.leave(context),
    },
    get admissions() {
      return desk.admissions.values();
    },
  };
}

class AdmissionDesk {
  readonly #options: PriorityAndFairnessOptions;
  readonly #watches = new WatchCounts();
  readonly admissions = new Map<RequestContext, Admission>();

  constructor(options: PriorityAndFairnessOptions) {
    this.#options = options;
  }

  enter(context: RequestContext): void | Promise<void> {
    const { info, user } = context;
    if (isLongRunning(info) && info.verb !== 'watch') return undefined;
    const { control } = this.#options;
    const classification = control.classify(user, info);
    const { level, uid, flow } = classification;
    context.responseHeaders[FLOW_SCHEMA_HEADER] = uid;
    context.responseHeaders[PRIORITY_LEVEL_HEADER] = level.settings.uid;
    const work = this.#workOf(context, classification);
    context.flow = {
      flowSchema: classification.name,
      priorityLevel: level.name,
      initialSeats: work.seats,
      finalSeats: work.finalSeats,
      additionalLatencyMs: work.finalMs,
      queuedMs: 0,
    };
    const distinguisher = distinguisherOf(classification.schema, user, info.namespace);
    const ticket = control.arrive(classification, distinguisher, work);
    if (typeof ticket === 'string') {
      if (!level.settings.isExempt) flow.observer.waited(0, false);
      return this.#refuse(context, classification);
    }
    const admission: Admission = { context, classification, distinguisher, ticket, forgetWatch: undefined };
    this.admissions.set(context, admission);
    if (ticket.state === 'waiting') return this.#wait(admission);
    this.#begin(admission);
    return undefined;
  }

  leave(context: RequestContext): void {
    const admission = this.admissions.get(context);
    if (admission === undefined) return;
    this.admissions.delete(context);
    admission.forgetWatch?.();
    this.#finish(admission);
  }

  #workOf(context: RequestContext, { level, flow }: Classification): Work {
    let watches = 0;
    if (isEstimatedWrite(context.info)) {
      watches = this.#watches.concernedBy(context.info);
      flow.observer.watches(watches);
    }
    const work = estimateWork(context, { widest: level.widest, size: this.#options.size, watches });
    flow.observer.estimated(Math.max(work.seats, work.finalSeats));
    return work;
  }

  /** Settles when the request has started or was refused. Rejects when its client leaves. */
  #wait(admission: Admission): Promise<void> {
    const { context, ticket } = admission;
    const { control, clock } = this.#options;
    const { signal } = context.exchange;
    this.#options.onQueued(context, true);
    return new Promise((resolve, reject) => {
      const cancel = (): void => {
        settled();
        this.admissions.delete(context);
        control.cancel(admission.classification, ticket);
        this.#waited(admission, false);
      };
      const leave = (): void => {
        cancel();
        reject(signal.reason as Error);
      };
      const expire = (): void => {
        cancel();
        resolve(this.#refuse(context, admission.classification));
      };
      const timer = clock.setTimer(expire, Math.max(0, latestStart(context) - clock.monotonic()));
      const settled = (): void => {
        this.#options.onQueued(context, false);
        context.trace?.ended('Waited for seats');
        timer[Symbol.dispose]();
        signal.removeEventListener('abort', leave);
      };
      ticket.started = () => {
        settled();
        this.#begin(admission);
        resolve();
      };
      if (signal.aborted) leave();
      else signal.addEventListener('abort', leave, { once: true });
    });
  }

  #begin(admission: Admission): void {
    const { context, classification } = admission;
    classification.flow.observer.dispatched();
    this.#waited(admission, true);
    if (context.info.verb !== 'watch') return;
    admission.forgetWatch = this.#watches.add(context);
    context.watchInitialized = () => this.#finish(admission);
  }

  #waited({ context, classification: { level, flow }, ticket }: Admission, executes: boolean): void {
    if (level.settings.isExempt) return;
    const end = executes ? ticket.startedAt : this.#options.clock.monotonic();
    const queuedMs = end - ticket.arrivedAt;
    if (context.flow !== undefined) context.flow.queuedMs = queuedMs;
    flow.observer.waited(queuedMs / 1000, executes);
  }

  #finish({ context, classification, ticket }: Admission): void {
    if (ticket.state !== 'executing') return;
    const { control, clock } = this.#options;
    control.finish(classification, ticket);
    const seconds = (clock.monotonic() - ticket.startedAt) / 1000;
    classification.flow.observer.executed(seconds, context.info.verb === 'watch');
  }

  #refuse(context: RequestContext, { level }: Classification): void | Promise<void> {
    level.retryAfter.refused(this.#options.clock.monotonic());
    this.#options.onRefused(context);
    return refuseAsTooMany(context, level.retryAfter.seconds);
  }
}

/** On the monotonic clock. */
function latestStart({ acceptedDeadline, receivedAt }: RequestContext): number {
  const given = Number.isFinite(acceptedDeadline) ? acceptedDeadline - receivedAt : UNLIMITED_REQUEST_MS;
  return receivedAt + Math.min(given * WAITING_SHARE, LONGEST_WAIT_MS);
}
