import type { Family, HistogramSeries, MetricRegistry, NumberSeries } from '@binnacle/apimachinery/metrics';
import type { TransportObserver } from '@binnacle/client/transport';
import { clientFacts } from './metric-facts.js';

/** The code of a request without an answer. */
const ERROR = '<error>';

interface Families {
  readonly requests: Family<typeof clientFacts.requests.labels, NumberSeries>;
  readonly retries: Family<typeof clientFacts.retries.labels, NumberSeries>;
  readonly duration: Family<typeof clientFacts.duration.labels, HistogramSeries>;
  readonly requestSize: Family<typeof clientFacts.requestSize.labels, HistogramSeries>;
  readonly responseSize: Family<typeof clientFacts.responseSize.labels, HistogramSeries>;
}

/** The metrics of the requests that clients in this process send. */
export class ClientMetrics {
  readonly #families: Families;

  constructor(registry: MetricRegistry) {
    this.#families = {
      requests: registry.numbers(clientFacts.requests),
      retries: registry.numbers(clientFacts.retries),
      duration: registry.histograms(clientFacts.duration),
      requestSize: registry.histograms(clientFacts.requestSize),
      responseSize: registry.histograms(clientFacts.responseSize),
    };
  }

  /** Counts the requests of transports to this server. */
  observerFor(host: string): TransportObserver {
    const methods = new Map<string, MethodSeries>();
    const of = (method: string): MethodSeries => {
      let series = methods.get(method);
      if (series === undefined) methods.set(method, (series = new MethodSeries(this.#families, method, host)));
      return series;
    };
    return {
      sent: (method, status, bytes) => of(method).sent(status, bytes),
      ended: (method, seconds, bytes) => of(method).ended(seconds, bytes),
      retried: (method, status) => void this.#families.retries.with(codeOf(status), method, host).value++,
    };
  }
}

/** The series of a method, so that a request costs no walk through labels. */
class MethodSeries {
  readonly #countOf: (status: number | undefined) => NumberSeries;
  readonly #counts = new Map<number | undefined, NumberSeries>();
  readonly #duration: HistogramSeries;
  readonly #requestSize: HistogramSeries;
  readonly #responseSize: HistogramSeries;

  constructor({ requests, duration, requestSize, responseSize }: Families, method: string, host: string) {
    this.#countOf = (status) => requests.with(codeOf(status), method, host);
    this.#duration = duration.with(method, host);
    this.#requestSize = requestSize.with(method, host);
    this.#responseSize = responseSize.with(method, host);
  }

  sent(status: number | undefined, bytes: number): void {
    let count = this.#counts.get(status);
    if (count === undefined) this.#counts.set(status, (count = this.#countOf(status)));
    count.value++;
    this.#requestSize.observe(bytes);
  }

  ended(seconds: number, bytes: number | undefined): void {
    this.#duration.observe(seconds);
    if (bytes !== undefined) this.#responseSize.observe(bytes);
  }
}

function codeOf(status: number | undefined): string {
  return status === undefined ? ERROR : String(status);
}
