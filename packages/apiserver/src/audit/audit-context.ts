import type { Clock } from '@binnacle/apimachinery/clock';
import type { ObjectMeta } from '@binnacle/apimachinery/meta';
import type { Status } from '@binnacle/apimachinery/status';
import type { UserInfo } from '../authentication/index.js';
import { type AuditContext, type RequestContext, userAgentOf } from '../request/index.js';
import type { AnswerMemory } from './answer-memory.js';
import { AuditEvent } from './event.js';
import type { AuditUser, ObjectReference } from './event-fields.js';
import { type AuditDecision, type AuditStage, isAtLeast } from './policy.js';
import { sourceIpsOf } from './source-ips.js';

const LONGEST_USER_AGENT = 1024;
const CUT = '...TRUNCATED';

export interface AuditContextParts {
  readonly clock: Clock;
  readonly memory: AnswerMemory;
}

/** Collects the facts for the events of one request. Upstream: apiserver `pkg/audit/request.go` and `context.go`. */
export class RecordedAuditContext implements AuditContext {
  readonly omitsManagedFields: boolean;
  readonly recordsRequest: boolean;
  readonly recordsResponse: boolean;
  readonly #context: RequestContext;
  readonly #decision: AuditDecision;
  readonly #clock: Clock;
  readonly #user: AuditUser;
  readonly #sourceIps: readonly string[];
  readonly #receivedAt: number;
  #impersonated: { readonly user: AuditUser; readonly constraint: string | undefined } | undefined;
  #objectRef: ObjectReference | undefined;
  #responseStatus: Partial<Status> | undefined;
  #requestObject: string | undefined;
  #responseObject: string | undefined;
  #isTruncated = false;
  readonly #memory: AnswerMemory;
  #answerBytes = 0;

  /** `user`: undefined if the request is not authenticated. */
  constructor(
    context: RequestContext,
    user: UserInfo | undefined,
    decision: AuditDecision,
    { clock, memory }: AuditContextParts,
  ) {
    this.#context = context;
    this.#memory = memory;
    this.#decision = decision;
    this.#clock = clock;
    this.#user = user === undefined ? { username: '' } : auditUserOf(user);
    this.#sourceIps = sourceIpsOf(context.exchange);
    this.#receivedAt = clock.now() - (clock.monotonic() - context.receivedAt);
    this.#objectRef = referenceOf(context);
    this.omitsManagedFields = decision.omitManagedFields;
    this.recordsRequest = isAtLeast(decision.level, 'Request');
    this.recordsResponse = isAtLeast(decision.level, 'RequestResponse');
  }

  impersonated(user: UserInfo, constraint: string | undefined): void {
    this.#impersonated = { user: auditUserOf(user), constraint };
  }

  requestMetadata({ namespace = '', name = '', uid = '', resourceVersion = '' }: ObjectMeta): void {
    const known = this.#objectRef;
    if (known === undefined) return;
    this.#objectRef = {
      ...known,
      namespace: known.namespace || namespace,
      name: known.name || name,
      uid: known.uid || uid,
      resourceVersion: known.resourceVersion || resourceVersion,
    };
  }

  requestObject(json: string): void {
    this.#requestObject = json;
  }

  responseStatus({ status, message, reason, details, code }: Status): void {
    this.#responseStatus = {
      ...(status === undefined ? {} : { status }),
      ...(message === undefined ? {} : { message }),
      ...(reason === undefined ? {} : { reason }),
      ...(details === undefined ? {} : { details }),
      ...(code === undefined ? {} : { code }),
    };
  }

  admitsAnswer(bytes: number): boolean {
    if (!this.#memory.take(bytes)) return false;
    this.#answerBytes += bytes;
    return true;
  }

  /** The request has ended, and its last event is on its way. */
  ended(): void {
    this.#memory.release(this.#answerBytes);
    this.#answerBytes = 0;
  }

  responseObject(json: string | undefined): void {
    if (json === undefined) this.#isTruncated = true;
    else this.#responseObject = json;
  }

  /** The answer has begun with this HTTP status. */
  answered(code: number): void {
    this.#responseStatus = { ...this.#responseStatus, code };
  }

  /** The event of a stage; undefined if the policy omits it. */
  eventOf(stage: AuditStage, fallback?: Partial<Status>): AuditEvent | undefined {
    const { level, omitStages } = this.#decision;
    if (omitStages.has(stage)) return undefined;
    const { exchange, info, auditId, receivedAt } = this.#context;
    if (fallback !== undefined) this.#responseStatus ??= fallback;
    const userAgent = userAgentOf(exchange);
    const isFirst = stage === 'RequestReceived';
    const { auditAnnotations } = this.#context;
    const event = new AuditEvent({
      level,
      auditId,
      stage,
      requestUri: exchange.url,
      verb: info.verb,
      user: this.#user,
      impersonatedUser: this.#impersonated?.user,
      impersonationConstraint: this.#impersonated?.constraint,
      sourceIps: this.#sourceIps,
      userAgent: userAgent.length > LONGEST_USER_AGENT ? userAgent.slice(0, LONGEST_USER_AGENT) + CUT : userAgent,
      objectRef: this.#objectRef,
      responseStatus: this.#responseStatus,
      requestObject: this.#requestObject,
      responseObject: this.#responseObject,
      receivedAt: this.#receivedAt,
      stageAt: isFirst ? this.#receivedAt : this.#receivedAt + (this.#clock.monotonic() - receivedAt),
      // The request may still add annotations while an earlier event waits to be written.
      annotations: stage === 'ResponseComplete' ? auditAnnotations : new Map(auditAnnotations),
    });
    return this.#isTruncated ? event.truncated() : event;
  }
}

/** One object for each user, so that its JSON is made once. */
const auditUsers = new WeakMap<UserInfo, AuditUser>();

function auditUserOf(user: UserInfo): AuditUser {
  const known = auditUsers.get(user);
  if (known !== undefined) return known;
  const { name, uid, groups, extra } = user;
  const made = { username: name, uid, groups, extra };
  auditUsers.set(user, made);
  return made;
}

function referenceOf({ info }: RequestContext): ObjectReference | undefined {
  if (!info.isResourceRequest) return undefined;
  return {
    resource: info.resource,
    namespace: info.namespace,
    name: info.name,
    uid: '',
    apiGroup: info.group,
    apiVersion: info.version,
    resourceVersion: '',
    subresource: info.subresource,
  };
}
