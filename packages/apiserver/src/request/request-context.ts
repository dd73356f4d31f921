import { TextLimit } from '@binnacle/apimachinery/json';
import { type Serializer, SERIALIZERS } from '@binnacle/apimachinery/serializer';
import { internalError } from '@binnacle/apimachinery/status';
import type { Span } from '@binnacle/apimachinery/tracing';
import { type Awaitable, WorkBudget } from '@binnacle/apimachinery/work';
import { anonymousUser, type UserInfo } from '../authentication/index.js';
import { noRequestInfo } from './parse-request-info.js';
import type { AuditAnnotation, AuditContext } from './audit-context.js';
import type { RequestInfo } from './request-info.js';
import type { RequestTrace } from './request-trace.js';
import type { Exchange } from './exchange.js';
import type { WatchCut } from './watch-cut.js';

function noAuthorizer(): never {
  throw internalError(new Error('no authorizer provided, unable to authorize a create on update'));
}

/** More than fits in the headers of an answer. */
const MAXIMUM_WARNINGS = 5000;

/** How flow control treats a request. */
export interface FlowDecision {
  readonly flowSchema: string;
  readonly priorityLevel: string;
  readonly initialSeats: number;
  readonly finalSeats: number;
  /** How long the final seats are kept after the answer, in milliseconds. */
  readonly additionalLatencyMs: number;
  /** How long the request waited for its turn, in milliseconds. */
  queuedMs: number;
}

/** Everything known about a request on its way in. Every field is initialised, so that all contexts have the same shape. */
export class RequestContext {
  readonly exchange: Exchange;
  /** Percent-decoded path. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Set by the request-info filter. */
  info: RequestInfo = noRequestInfo;
  /** Set by the authentication filter. */
  user: UserInfo = anonymousUser;
  /**
   * Throws 403 unless the user may also do this with another verb. A write that creates an absent object needs it. Set by
   * the authorization filter.
   */
  authorizeAs: (verb: string) => void | Promise<void> = noAuthorizer;
  /** What the authorizer says of this request with another verb. Set by the authorization filter. */
  decideAs: (
    verb: string,
  ) => Awaitable<{ readonly allowed: boolean; readonly reason: string; readonly error?: string | undefined }> =
    noAuthorizer;
  /**
   * Whether objects that no one can read can be deleted, and are named as upstream does with
   * `AllowUnsafeMalformedObjectDeletion`. Set when a request reaches a resource.
   */
  allowsUnsafeDeletion = false;
  /** Texts for `Warning` headers, in order; each is sent once. */
  readonly warnings: string[] = [];
  readonly #warned = new Set<string>();
  readonly #warningLimit = new TextLimit();
  /** Milliseconds, monotonic time. */
  readonly receivedAt: number;
  auditId = '';
  /** When the request finished each step. The filters of the request log and of tracing set it if they show it. */
  trace: RequestTrace | undefined = undefined;
  /** The innermost span of the request as a whole. The tracing filter sets it if the request belongs to a trace. */
  span: Span | undefined = undefined;
  /** Collects facts for the audit log. The audit filter sets it if the policy records the request. */
  audit: AuditContext | undefined = undefined;
  /** Whether the policy has decided about the request as that of a user. */
  isAuditDecided = false;
  /**
   * The media types of bodies and answers, most preferred first. Set when a request reaches a resource. Other paths and
   * answers of filters have the ones that are always on.
   */
  serializers: readonly Serializer[] = SERIALIZERS;
  /** Headers that filters add to any answer. A handler's header of the same name wins. */
  readonly responseHeaders: Record<string, string> = {};
  /** What admission says about the request, for audit events of at least that level. */
  readonly auditAnnotations = new Map<string, AuditAnnotation>();
  readonly #annotationLimit = new TextLimit();
  /** When the request is answered with 504 instead of by its handler, in milliseconds of monotonic time. */
  deadline = Number.POSITIVE_INFINITY;
  /** The deadline that the client accepts, where that of a write is shorter, in milliseconds of monotonic time. */
  acceptedDeadline = Number.POSITIVE_INFINITY;
  /** The size of the body that a resource has read; undefined: it has read none. */
  requestBytes: number | undefined = undefined;
  /** What flow control decided; undefined for requests that it passes. */
  flow: FlowDecision | undefined = undefined;
  /** To be called when a watch has sent its first events, or another server answers it. Set by flow control. */
  watchInitialized: () => void = () => undefined;
  /** Set by a filter that may end this request, a watch, early. */
  watchCut: WatchCut | undefined = undefined;

  /**
   * Counts memory, in bytes, that the request turns out to need beyond its first estimate, until it ends. Throws the 429 of a
   * server without room. Set by the memory ceiling.
   */
  reserveMemory: (bytes: number) => void = () => undefined;
  /** The work that the request may cause. */
  readonly budget = new WorkBudget();

  constructor(exchange: Exchange, path: string, query: URLSearchParams, receivedAt: number) {
    this.exchange = exchange;
    this.path = path;
    this.query = query;
    this.receivedAt = receivedAt;
  }

  /** Adds an annotation to the audit event. The first value of a key stays. */
  annotate(key: string, value: string, level: 'Metadata' | 'Request' = 'Metadata'): void {
    const isKnown = this.auditAnnotations.has(key);
    if (!isKnown && this.#annotationLimit.admits(key) && this.#annotationLimit.admits(value)) {
      this.auditAnnotations.set(key, { value, level });
    }
  }

  warn(text: string): void {
    if (this.warnings.length >= MAXIMUM_WARNINGS || !this.#warningLimit.admits(text) || this.#warned.has(text)) return;
    this.#warned.add(text);
    this.warnings.push(text);
  }
}

/** Answers the request, or throws: a StatusError is written as its Status, anything else as 500 InternalError. */
export type Handler = (context: RequestContext) => void | Promise<void>;

/** One step around every request. Entered in the order of the one array in `server`, left in reverse. */
export interface Filter {
  readonly name: string;
  /** May answer the request itself (then nothing further runs) or throw. */
  enter(context: RequestContext): void | Promise<void>;
  /** Runs once the request has been answered or has failed, if `enter` had completed. Must not throw. */
  leave?(context: RequestContext): void;
}
