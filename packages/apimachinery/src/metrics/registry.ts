import type { LabelValues, MetricFacts } from './facts.js';
import { LabelTree } from './label-tree.js';
import { HistogramSeries, NumberSeries, type Series } from './series.js';
import { TimingSeries } from './timing-series.js';

/** The series of one metric, created on first use. Callers that count often should keep the series. */
export class Family<L extends readonly string[], S extends Series> {
  readonly #make: () => S;
  readonly #tree = new LabelTree<S>();

  constructor(make: () => S) {
    this.#make = make;
  }

  with(...values: LabelValues<L>): S {
    let series = this.#tree.find(...values);
    if (series === undefined) {
      series = this.#make();
      this.#tree.add(values, series);
    }
    return series;
  }

  /** Adds the series without labels, of a metric that has none. */
  begin(): void {
    this.#tree.add([], this.#make());
  }

  series(): Iterable<readonly [readonly string[], S]> {
    return this.#tree.entries();
  }
}

/** Values that are read at each scrape. */
export type Readings<L extends readonly string[]> = Iterable<readonly [LabelValues<L>, number]>;

/** A metric and the current state of its series. */
export interface GatheredMetric {
  readonly facts: MetricFacts;
  readonly series: Iterable<readonly [readonly string[], Series]>;
}

interface Source {
  readonly facts: MetricFacts;
  series(): GatheredMetric['series'] | Promise<GatheredMetric['series']>;
}

/** All metrics of one endpoint. Names are unique. */
export class MetricRegistry {
  readonly #sources = new Map<string, Source>();

  /** A counter or gauge with writable series. */
  numbers<L extends readonly string[]>(facts: MetricFacts<L>): Family<L, NumberSeries> {
    return this.#family(facts, () => new NumberSeries());
  }

  histograms<L extends readonly string[]>(facts: MetricFacts<L>): Family<L, HistogramSeries> {
    const bounds = facts.buckets ?? [];
    return this.#family(facts, () => new HistogramSeries(bounds));
  }

  /** Histograms of numbers over time. `now`: see {@link TimingSeries}. */
  timings<L extends readonly string[]>(facts: MetricFacts<L>, now: () => number): Family<L, TimingSeries> {
    const family = new Family<L, TimingSeries>(() => new TimingSeries(facts.buckets ?? [], now()));
    this.#add({
      facts,
      series: () => {
        const at = now();
        for (const [, series] of family.series()) series.advance(at);
        return family.series();
      },
    });
    return family;
  }

  /** A counter or gauge whose values are stored outside; each scrape calls `read`. */
  readings<L extends readonly string[]>(facts: MetricFacts<L>, read: () => Readings<L> | Promise<Readings<L>>): void {
    this.#add({
      facts,
      series: () => {
        const readings = read();
        return readings instanceof Promise ? readings.then(seriesOf) : seriesOf(readings);
      },
    });
  }

  /** All metrics, sorted by name. */
  gather(): Promise<readonly GatheredMetric[]> {
    const names = [...this.#sources.keys()].sort();
    const sources = names.flatMap((name) => this.#sources.get(name) ?? []);
    return Promise.all(sources.map(async (source) => ({ facts: source.facts, series: await source.series() })));
  }

  #family<L extends readonly string[], S extends Series>(facts: MetricFacts<L>, make: () => S): Family<L, S> {
    const family = new Family<L, S>(make);
    // A metric without labels has its one series from the start, so that queries see its zero.
    if (facts.labels.length === 0) family.begin();
    this.#add({ facts, series: () => family.series() });
    return family;
  }

  #add(source: Source): void {
    const { name } = source.facts;
    if (this.#sources.has(name)) throw new Error(`there are two metrics ${name}`);
    this.#sources.set(name, source);
  }
}

function seriesOf<L extends readonly string[]>(readings: Readings<L>): GatheredMetric['series'] {
  return Array.from(readings, ([labels, value]) => {
    const series = new NumberSeries();
    series.value = value;
    return [labels, series] as const;
  });
}
