import {
  type Family,
  type HistogramSeries,
  LabelTree,
  type MetricRegistry,
  type NumberSeries,
} from '@binnacle/apimachinery/metrics';
import { isLongRunning } from '../filters/index.js';
import type { Filter, RequestContext, RequestInfo } from '../request/index.js';
import { Concurrency, type ConcurrencyLimits } from './concurrency.js';
import { flowControlFacts } from './flow-control-facts.js';
import { requestFacts } from './request-facts.js';
import { countedDryRun, countedFieldValidation, countedVerb, scopeOf } from './request-labels.js';

/** The server's facts about a counted request. */
export interface CountedRequest {
  /** `apiserver` for requests to the API, otherwise empty. */
  readonly component: string;
  /** Set for a deprecated API: the release that removes it, or empty when that is not decided. */
  readonly removedRelease?: string;
}

export interface RequestMetricsOptions {
  readonly registry: MetricRegistry;
  /** Milliseconds, the clock of `RequestContext.receivedAt`. */
  readonly now: () => number;
  /**
   * Describes a counted kind of request; undefined when it has no handler. Clients therefore cannot invent labels.
   * Called once per kind of request.
   */
  readonly describe: (info: RequestInfo) => CountedRequest | undefined;
}

export interface RequestMetrics {
  /** Belongs innermost. Filters count the requests that they refuse. */
  readonly filter: Filter;
  /** Says what limits the requests that execute, and those that wait, if any do. */
  limitedBy(executing: ConcurrencyLimits, waiting?: ConcurrencyLimits): void;
  /** Counts a request that begins to wait for its turn, or no longer waits. */
  queued(context: RequestContext, waits: boolean): void;
  /** Counts a request that was answered with this status because it took too long or exceeded a limit. */
  terminated(context: RequestContext, code: number): void;
  /** Counts a request whose answer was broken off because it took too long. */
  aborted(context: RequestContext): void;
}

/** Upstream measures response sizes only for these verbs. */
const readOnlyVerbs: ReadonlySet<string> = new Set(['GET', 'LIST', 'WATCH']);

/**
 * Counts requests and measures their responses. All series of a kind of request are looked up once and kept, so a
 * request costs a few map lookups and no string concatenation.
 * Upstream: apiserver `pkg/endpoints/metrics`.
 */
export function requestMetrics({ registry, now, describe }: RequestMetricsOptions): RequestMetrics {
  const kinds = new RequestKinds(registry, describe);
  const serving = new Concurrency();
  const waiting = new Concurrency();
  const timings = registry.timings(flowControlFacts.readsAndWrites, now);
  const longRunning = new Map<RequestContext, RequestKind>();
  const terminations = registry.numbers(requestFacts.terminations);
  const aborts = registry.numbers(requestFacts.aborts);
  registry.readings(requestFacts.inFlight, () => serving.highest(now()));
  registry.readings(requestFacts.inQueue, () => waiting.highest(now()));
  return {
    filter: {
      name: 'metrics',
      enter: (context) => {
        if (!isLongRunning(context.info)) {
          serving.enter(context, context.receivedAt + (context.flow?.queuedMs ?? 0));
          return;
        }
        const kind = kinds.of(context);
        if (kind === undefined) return;
        longRunning.set(context, kind);
        kind.running(1);
      },
      leave: (context) => {
        const at = now();
        let kind: RequestKind | undefined;
        if (isLongRunning(context.info)) {
          kind = longRunning.get(context);
          longRunning.delete(context);
          kind?.running(-1);
        } else {
          serving.leave(context, at);
          kind = kinds.of(context);
        }
        kind?.answered(context, at - context.receivedAt);
      },
    },
    queued: (context, waits) => {
      if (waits) waiting.enter(context, now());
      else waiting.leave(context, now());
    },
    limitedBy: (executing, queued) => {
      serving.limitedBy(executing, (kind) => timings.with('executing', kind));
      if (queued !== undefined) waiting.limitedBy(queued, (kind) => timings.with('waiting', kind));
    },
    terminated: (context, code) => {
      const kind = kinds.of(context);
      if (kind !== undefined) terminations.with(...kind.labels, String(code)).value++;
    },
    aborted: (context) => {
      const kind = kinds.of(context);
      if (kind === undefined) return;
      const [verb, group, version, resource, subresource, scope] = kind.labels;
      aborts.with(verb, group, version, resource, subresource, scope).value++;
    },
  };
}

type RequestLabels = readonly [
  verb: string,
  group: string,
  version: string,
  resource: string,
  subresource: string,
  scope: string,
  component: string,
];

/** The kinds of requests seen so far. */
class RequestKinds {
  readonly #families;
  readonly #describe: RequestMetricsOptions['describe'];
  readonly #known = new LabelTree<RequestKind>();

  constructor(registry: MetricRegistry, describe: RequestMetricsOptions['describe']) {
    this.#describe = describe;
    this.#families = {
      total: registry.numbers(requestFacts.total),
      duration: registry.histograms(requestFacts.duration),
      sliDuration: registry.histograms(requestFacts.sliDuration),
      responseSizes: registry.histograms(requestFacts.responseSizes),
      bodySizes: registry.histograms(requestFacts.bodySizes),
      fieldValidation: registry.histograms(requestFacts.fieldValidation),
      longRunning: registry.numbers(requestFacts.longRunning),
      deprecated: registry.numbers(requestFacts.deprecated),
    };
  }

  /** The kind of a request; undefined when requests of that kind are not counted. */
  of(context: RequestContext): RequestKind | undefined {
    const { info } = context;
    const { group, version, resource } = info;
    const subresource = info.isResourceRequest ? info.subresource : context.path;
    const scope = scopeOf(info);
    const verb = countedVerb(context, scope);
    const dryRun = countedDryRun(context.query);
    const known = this.#known.find(verb, dryRun, group, version, resource, subresource, scope);
    if (known !== undefined) return known;
    const described = this.#describe(info);
    if (described === undefined) return undefined;
    const { component, removedRelease } = described;
    const families = this.#families;
    if (removedRelease !== undefined) {
      families.deprecated.with(group, version, resource, subresource, removedRelease).value = 1;
    }
    const labels = [verb, group, version, resource, subresource, scope, component] as const;
    const kind = new RequestKind(labels, dryRun, families);
    this.#known.add([verb, dryRun, group, version, resource, subresource, scope], kind);
    return kind;
  }
}

interface Families {
  readonly total: Family<typeof requestFacts.total.labels, NumberSeries>;
  readonly duration: Family<typeof requestFacts.duration.labels, HistogramSeries>;
  readonly sliDuration: Family<typeof requestFacts.sliDuration.labels, HistogramSeries>;
  readonly responseSizes: Family<typeof requestFacts.responseSizes.labels, HistogramSeries>;
  readonly bodySizes: Family<typeof requestFacts.bodySizes.labels, HistogramSeries>;
  readonly fieldValidation: Family<typeof requestFacts.fieldValidation.labels, HistogramSeries>;
  readonly longRunning: Family<typeof requestFacts.longRunning.labels, NumberSeries>;
}

/** The series that share one set of labels. */
class RequestKind {
  readonly labels: RequestLabels;
  readonly #dryRun: string;
  readonly #families: Families;
  readonly #duration: HistogramSeries;
  readonly #sliDuration: HistogramSeries | undefined;
  readonly #sizes: HistogramSeries | undefined;
  /** For requests without `fieldValidation`: most have none. */
  readonly #fieldValidation: HistogramSeries;
  #bodySizes: HistogramSeries | undefined;
  readonly #codes = new Map<number, NumberSeries>();

  constructor(labels: RequestLabels, dryRun: string, families: Families) {
    const [verb, ...rest] = labels;
    this.labels = labels;
    this.#dryRun = dryRun;
    this.#families = families;
    this.#duration = families.duration.with(verb, dryRun, ...rest);
    this.#fieldValidation = families.fieldValidation.with('');
    this.#sliDuration = dryRun === '' ? families.sliDuration.with(...labels) : undefined;
    this.#sizes = readOnlyVerbs.has(verb) ? families.responseSizes.with(...labels) : undefined;
  }

  /** Counts the start (1) or the end (-1) of a long-running request. */
  running(more: 1 | -1): void {
    this.#families.longRunning.with(...this.labels).value += more;
  }

  answered(context: RequestContext, milliseconds: number): void {
    const { flow, requestBytes, query } = context;
    const { status, bodyBytes } = context.exchange;
    const seconds = Math.max(0, milliseconds) / 1000;
    this.#duration.observe(seconds);
    const validation = countedFieldValidation(query);
    const validated = validation === '' ? this.#fieldValidation : this.#families.fieldValidation.with(validation);
    validated.observe(seconds);
    if (requestBytes !== undefined) this.#bodySizesOf(context.info).observe(requestBytes);
    this.#sliDuration?.observe(Math.max(0, seconds - (flow?.queuedMs ?? 0) / 1000));
    this.#sizes?.observe(bodyBytes);
    this.#total(status).value++;
  }

  /** All requests of a kind have the same verb. */
  #bodySizesOf({ group, resource, verb }: RequestInfo): HistogramSeries {
    const counted = verb === 'deletecollection' ? 'delete_collection' : verb;
    return (this.#bodySizes ??= this.#families.bodySizes.with(group, resource, counted));
  }

  #total(code: number): NumberSeries {
    let series = this.#codes.get(code);
    if (series === undefined) {
      const [verb, ...rest] = this.labels;
      series = this.#families.total.with(verb, this.#dryRun, ...rest, String(code));
      this.#codes.set(code, series);
    }
    return series;
  }
}
