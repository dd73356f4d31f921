import type { Clock } from '@binnacle/apimachinery/clock';
import { stringifyJson } from '@binnacle/apimachinery/json';
import { asJson } from '@binnacle/apimachinery/meta';
import { internalError, type Status, unauthorized } from '@binnacle/apimachinery/status';
import { isLongRunning } from '../filters/index.js';
import type { AuditMetrics } from '../metrics/index.js';
import type { Filter, RequestContext } from '../request/index.js';
import { AnswerMemory } from './answer-memory.js';
import { type AuditDecision, type AuditedUser, type AuditPolicy, type AuditStage, decideAudit } from './policy.js';
import type { AuditSink } from './sink.js';
import { RecordedAuditContext } from './audit-context.js';

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
  return {
    failedAuthentication: {
      name: 'failed-authentication-audit',
      enter: () => undefined,
      leave: (context) => {
        if (context.exchange.status !== UNAUTHORIZED || context.isAuditDecided) return;
        const decision = recorder.decide(context, undefined);
        if (decision.level !== 'None') recorder.refused(new RecordedAuditContext(context, undefined, decision, parts));
      },
    },
    requests: {
      name: 'audit',
      enter: (context) => {
        const decision = recorder.decide(context, context.user);
        context.isAuditDecided = true;
        if (decision.level === 'None') return undefined;
        const audit = new RecordedAuditContext(context, context.user, decision, parts);
        context.audit = audit;
        return recorder.begin(audit, context);
      },
      leave: (context) => {
        if (context.audit instanceof RecordedAuditContext) recorder.end(context.audit, context);
      },
    },
  };
}

class Recorder {
  readonly #options: AuditOptions;

  constructor(options: AuditOptions) {
    this.#options = options;
  }

  decide({ info }: RequestContext, user: AuditedUser | undefined): AuditDecision {
    const decision = decideAudit(this.#options.policy, info, user);
    this.#options.metrics.levels.with(decision.level).value++;
    return decision;
  }

  /** Throws 500 if the arrival cannot be stored and the sink is strict. Waits only for a sink. */
  begin(audit: RecordedAuditContext, { exchange, info }: RequestContext): void | Promise<void> {
    exchange.observeAnswer((status) => {
      audit.answered(status);
      if (isLongRunning(info)) void this.#record(audit, 'ResponseStarted');
    });
    const backlog = this.#options.sink.backlog();
    if (backlog !== undefined) return backlog.then(() => this.#announce(audit));
    return this.#announce(audit);
  }

  #announce(audit: RecordedAuditContext): void | Promise<void> {
    const { metrics } = this.#options;
    return this.#record(audit, 'RequestReceived')?.then((isStored) => {
      if (isStored) return;
      metrics.rejected.value++;
      throw internalError(new Error('failed to store audit event'));
    });
  }

  end(audit: RecordedAuditContext, { exchange, info }: RequestContext): void {
    if (exchange.status === 0 && isLongRunning(info)) void this.#record(audit, 'ResponseStarted', closedEarly);
    void this.#record(audit, 'ResponseComplete', closedEarly);
    audit.ended();
  }

  refused(audit: RecordedAuditContext): void {
    const { status } = unauthorized();
    audit.responseStatus(status);
    if (audit.recordsResponse) audit.responseObject(stringifyJson(asJson(status)));
    void this.#record(audit, 'ResponseStarted');
  }

  /** Undefined if the policy omits the stage. The promise does not reject, see {@link AuditSink}. */
  #record(audit: RecordedAuditContext, stage: AuditStage, fallback?: Partial<Status>): Promise<boolean> | undefined {
    const event = audit.eventOf(stage, fallback);
    if (event === undefined) return undefined;
    this.#options.metrics.events.value++;
    return this.#options.sink.take(event);
  }
}
