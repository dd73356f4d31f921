import type { Clock } from '@binnacle/apimachinery/clock';
import type { HistogramSeries, MetricRegistry, NumberSeries } from '@binnacle/apimachinery/metrics';
import type { GroupResource, GroupVersionResource } from '@binnacle/apimachinery/meta';
import type { RuleObserver } from '@binnacle/apimachinery/structural';
import type { ListObserver } from '../registry/index.js';
import type { RequestInfo } from '../request/index.js';
import type { StorageObserver } from '../storage/index.js';
import { conversionMetrics, type ConversionObserver } from './conversion-metrics.js';
import { expressionFacts } from './expression-facts.js';
import { requestFacts } from './request-facts.js';
import { scopeOf } from './request-labels.js';
import { storageFacts } from './storage-facts.js';

/** Observers, by resource, for lists, watches and store requests. A series is created when it first has a value. */
export class ResourceMetrics {
  readonly #families;
  readonly #clock: Clock;
  /** The observer for the conversion webhook of a definition. */
  readonly conversions: (definition: string) => ConversionObserver;

  /** The observer for the rules of all custom resources. */
  readonly rules: RuleObserver;

  readonly #damaged: (keys: readonly string[]) => void;

  /** `damaged` is called with the keys of objects that the store cannot read. */
  constructor(registry: MetricRegistry, clock: Clock, damaged: (keys: readonly string[]) => void = () => undefined) {
    this.#clock = clock;
    this.conversions = conversionMetrics(registry, clock);
    this.#damaged = damaged;
    this.rules = {
      compiling: this.#timer(registry.histograms(expressionFacts.compilation).with()),
      evaluating: this.#timer(registry.histograms(expressionFacts.evaluation).with()),
    };
    this.#families = {
      callDuration: registry.histograms(storageFacts.callDuration),
      calls: registry.numbers(storageFacts.calls),
      callErrors: registry.numbers(storageFacts.callErrors),
      decodeErrors: registry.numbers(storageFacts.decodeErrors),
      consistentReads: registry.numbers(storageFacts.consistentReads),
      cachedLists: registry.numbers(storageFacts.cachedLists),
      cachedListFetched: registry.numbers(storageFacts.cachedListFetched),
      cachedListReturned: registry.numbers(storageFacts.cachedListReturned),
      storedLists: registry.numbers(storageFacts.storedLists),
      storedListFetched: registry.numbers(storageFacts.storedListFetched),
      storedListEvaluated: registry.numbers(storageFacts.storedListEvaluated),
      storedListReturned: registry.numbers(storageFacts.storedListReturned),
      readWait: registry.histograms(storageFacts.readWait),
      watchLists: registry.histograms(requestFacts.watchLists),
      watchEvents: registry.numbers(requestFacts.watchEvents),
      watchEventSizes: registry.histograms(requestFacts.watchEventSizes),
    };
  }

  storage({ group, resource }: GroupResource): StorageObserver {
    const { callDuration, calls, callErrors, decodeErrors } = this.#families;
    return {
      begun: (operation) => {
        const start = this.#clock.monotonic();
        return (failed) => {
          callDuration.with(operation, group, resource).observe((this.#clock.monotonic() - start) / 1000);
          calls.with(operation, group, resource).value++;
          if (failed) callErrors.with(operation, group, resource).value++;
        };
      },
      damaged: (keys) => {
        if (keys.length > 0) decodeErrors.with(group, resource).value += keys.length;
        this.#damaged(keys);
      },
    };
  }

  lists({ group, resource }: GroupResource): ListObserver {
    const families = this.#families;
    return {
      consistent: (source) => {
        families.consistentReads.with(group, resource, 'true', String(source === 'store')).value++;
      },
      fromCache: (field, fetched, returned) => {
        const index = field === '' ? '' : `f:${field}`;
        families.cachedLists.with(group, resource, index).value++;
        families.cachedListFetched.with(group, resource, index).value += fetched;
        families.cachedListReturned.with(group, resource).value += returned;
      },
      fromStore: (fetched, evaluated, returned) => {
        families.storedLists.with(group, resource).value++;
        families.storedListFetched.with(group, resource).value += fetched;
        families.storedListEvaluated.with(group, resource).value += evaluated;
        families.storedListReturned.with(group, resource).value += returned;
      },
    };
  }

  /** The observer for a cacher's `waited`. */
  readWaits({ group, resource }: GroupResource): (milliseconds: number) => void {
    let series: HistogramSeries | undefined;
    return (milliseconds) => {
      series ??= this.#families.readWait.with(group, resource);
      series.observe(milliseconds / 1000);
    };
  }

  /** The observer for an endpoint's `initialEventsSent`. */
  watchLists({ group, version, resource }: GroupVersionResource): (info: RequestInfo, milliseconds: number) => void {
    return (info, milliseconds) =>
      this.#families.watchLists.with(group, version, resource, scopeOf(info)).observe(milliseconds / 1000);
  }

  /** The observer for an endpoint's `eventSent`. */
  watchEvents({ group, version, resource }: GroupVersionResource): (bytes: number) => void {
    let count: NumberSeries | undefined;
    let sizes: HistogramSeries | undefined;
    return (bytes) => {
      count ??= this.#families.watchEvents.with(group, version, resource);
      sizes ??= this.#families.watchEventSizes.with(group, version, resource);
      count.value++;
      sizes.observe(bytes);
    };
  }

  #timer(series: HistogramSeries): () => () => void {
    return () => {
      const start = this.#clock.monotonic();
      return () => series.observe((this.#clock.monotonic() - start) / 1000);
    };
  }
}
