import type { Clock } from '@binnacle/apimachinery/clock';
import { stringifyJson } from '@binnacle/apimachinery/json';
import { asJson } from '@binnacle/apimachinery/meta';
import { internalError, type Status, unauthorized } from '@binnacle/apimachinery/status';
import { isLongRunning } from '../filters/index.js';
import type { AuditMetrics } from '../metrics/index.js';
import type { Filter, RequestContext } from '../request/index.js';
import { AnswerMemory } from './answer-memory.js';
import { type AuditedRequest, type AuditDecision, type AuditPolicy, type AuditStage, decideAudit } from './policy.js';
import type { AuditSink } from './sink.js';
import { Trail } from './trail.js';

export interface AuditOptions {
  readonly policy: AuditPolicy;
  readonly sink: AuditSink;
  readonly metrics: AuditMetrics;
}

const UNAUTHORIZED = 401;
/** The client has left before an answer. */
const closedEarly: Partial<Status> = { status: 'Success', message: 'Connection closed early', code: 200 };

/**
 * Records requests by the policy: when they arrive, when a long-running one is answered, and when they end.
 *
 * `failedAuthentication` belongs before the authentication filter, and `requests` right after it: events name the
 * authenticated user, before impersonation. Upstream: apiserver `pkg/endpoints/filters/audit.go`, `authn_audit.go`.
 */
export function auditFilters(options: AuditOptions, clock: Clock): { failedAuthentication: Filter; requests: Filter } {
  const recorder = new Recorder(options);
  const parts = { clock, memory: new AnswerMemory() };
  /** Of the authenticated requests; undefined for those that are not recorded. */
  const trails = new WeakMap<RequestContext, Trail | undefined>();
  return {
    failedAuthentication: {
      name: 'failed-authentication-audit',
      enter: () => undefined,
      leave: (context) => {
        if (trails.has(context) || context.exchange.status !== UNAUTHORIZED) return;
        const decision = recorder.decide(context, undefined);
        if (decision.level !== 'None') recorder.refused(new Trail(context, undefined, decision, parts));
      },
    },
    requests: {
      name: 'audit',
      enter: (context) => {
        const decision = recorder.decide(context, context.user);
        const trail = decision.level === 'None' ? undefined : new Trail(context, context.user, decision, parts);
        trails.set(context, trail);
        context.audit = trail;
        return trail === undefined ? undefined : recorder.begin(trail, context);
      },
      leave: (context) => {
        const trail = trails.get(context);
        if (trail !== undefined) recorder.end(trail, context);
      },
    },
  };
}

class Recorder {
  readonly #options: AuditOptions;

  constructor(options: AuditOptions) {
    this.#options = options;
  }

  decide({ info }: RequestContext, user: AuditedRequest['user']): AuditDecision {
    const decision = decideAudit(this.#options.policy, { ...info, user });
    this.#options.metrics.levels.with(decision.level).value++;
    return decision;
  }

  /** Throws 500 if the arrival cannot be stored and the sink is strict. Waits only for a sink. */
  begin(trail: Trail, { exchange, info }: RequestContext): void | Promise<void> {
    exchange.observeAnswer((status) => {
      trail.answered(status);
      if (isLongRunning(info)) void this.#record(trail, 'ResponseStarted');
    });
    const backlog = this.#options.sink.backlog();
    if (backlog !== undefined) return backlog.then(() => this.#announce(trail));
    return this.#announce(trail);
  }

  #announce(trail: Trail): void | Promise<void> {
    const { metrics } = this.#options;
    return this.#record(trail, 'RequestReceived')?.then((isStored) => {
      if (isStored) return;
      metrics.rejected.value++;
      throw internalError(new Error('failed to store audit event'));
    });
  }

  end(trail: Trail, { exchange, info }: RequestContext): void {
    if (exchange.status === 0 && isLongRunning(info)) void this.#record(trail, 'ResponseStarted', closedEarly);
    void this.#record(trail, 'ResponseComplete', closedEarly);
    trail.ended();
  }

  refused(trail: Trail): void {
    const { status } = unauthorized();
    trail.responseStatus(status);
    if (trail.recordsResponse) trail.responseObject(stringifyJson(asJson(status)));
    void this.#record(trail, 'ResponseStarted');
  }

  /** Undefined if the policy omits the stage. The promise does not reject, see {@link AuditSink}. */
  #record(trail: Trail, stage: AuditStage, fallback?: Partial<Status>): Promise<boolean> | undefined {
    const event = trail.eventOf(stage, fallback);
    if (event === undefined) return undefined;
    this.#options.metrics.events.value++;
    return this.#options.sink.take(event);
  }
}
