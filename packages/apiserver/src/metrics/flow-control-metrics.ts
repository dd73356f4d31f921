import type { Clock } from '@binnacle/apimachinery/clock';
import type { MetricFacts, MetricRegistry } from '@binnacle/apimachinery/metrics';
import type { FlowControl, FlowObserver, FlowObservers, PriorityLevel } from '../flowcontrol/index.js';
import { flowControlFacts as facts } from './flow-control-facts.js';

/** Observers of priority levels, and of flow schemas in them. Their series are looked up once. `seats`: of the server. */
export function flowObservers(registry: MetricRegistry, clock: Clock, seats: number): FlowObservers {
  return { flow: schemaObservers(registry), level: levelObservers(registry, clock, seats) };
}

function schemaObservers(registry: MetricRegistry): FlowObservers['flow'] {
  const families = {
    rejected: registry.numbers(facts.rejected),
    dispatched: registry.numbers(facts.dispatched),
    noAccommodation: registry.numbers(facts.noAccommodation),
    queueLength: registry.histograms(facts.queueLength),
    waitDuration: registry.histograms(facts.waitDuration),
    executionDuration: registry.histograms(facts.executionDuration),
    watchCount: registry.histograms(facts.watchCount),
    estimatedSeats: registry.histograms(facts.estimatedSeats),
  };
  return (...flow): FlowObserver => {
    const dispatched = families.dispatched.with(...flow);
    const queueLength = families.queueLength.with(...flow);
    const executing = families.waitDuration.with(...flow, 'true');
    const refused = families.waitDuration.with(...flow, 'false');
    const regular = families.executionDuration.with(...flow, 'regular');
    const watch = families.executionDuration.with(...flow, 'watch');
    const watchCount = families.watchCount.with(...flow);
    const estimatedSeats = families.estimatedSeats.with(...flow);
    return {
      estimated: (seats) => estimatedSeats.observe(seats),
      queued: (length) => queueLength.observe(length),
      waited: (seconds, executes) => (executes ? executing : refused).observe(seconds),
      executed: (seconds, isWatch) => (isWatch ? watch : regular).observe(seconds),
      watches: (count) => watchCount.observe(count),
      dispatched: () => {
        dispatched.value++;
      },
      refused: (reason) => {
        families.rejected.with(...flow, reason).value++;
      },
      noRoom: () => {
        families.noAccommodation.with(...flow).value++;
      },
    };
  };
}

/** A level without seats is measured by this part of those of the server. */
const SHARE_WITHOUT_SEATS = 1 / 10;

function levelObservers(registry: MetricRegistry, clock: Clock, serverSeats: number): FlowObservers['level'] {
  const now = (): number => clock.monotonic();
  const families = {
    demand: registry.timings(facts.demand, now),
    seats: registry.timings(facts.seatUtilization, now),
    requests: registry.timings(facts.requestUtilization, now),
  };
  const withoutSeats = Math.max(1, Math.round(serverSeats * SHARE_WITHOUT_SEATS));
  return (level) => {
    const demand = families.demand.with(level);
    const seats = families.seats.with('executing', level);
    const waiting = families.requests.with('waiting', level);
    const executing = families.requests.with('executing', level);
    return {
      changed: (queues, at) => {
        const { shape } = queues;
        const limit = queues.limit > 0 ? queues.limit : withoutSeats;
        const places = Math.max(1, shape.queueLength) * Math.max(1, shape.queues);
        demand.set((queues.seatsInUse + queues.waitingSeats) / limit, at);
        seats.set(queues.seatsInUse / limit, at);
        waiting.set(queues.waiting / places, at);
        executing.set(queues.executing / limit, at);
      },
    };
  };
}

/** Reads the state of flow control at each scrape. */
export function readFlowControl(registry: MetricRegistry, control: FlowControl): void {
  /** An undefined value: the level has no series yet. */
  const ofLevels = (
    metric: MetricFacts<readonly ['priority_level']>,
    value: (level: PriorityLevel) => number | undefined,
  ): void => {
    registry.readings(metric, function* () {
      for (const [name, level] of control.levels) {
        const current = value(level);
        if (current !== undefined) yield [[name], current];
      }
    });
  };
  ofLevels(facts.nominalLimit, ({ limits }) => limits.nominal);
  ofLevels(facts.lowerLimit, ({ limits }) => limits.minimum);
  ofLevels(facts.upperLimit, ({ limits }) => limits.maximum);
  ofLevels(facts.currentLimit, ({ queues }) => queues.limit);
  ofLevels(facts.currentR, ({ queues }) => queues.currentR);
  ofLevels(facts.dispatchR, ({ queues }) => queues.dispatchR);
  ofLevels(facts.latestS, ({ queues }) => queues.latestS);
  ofLevels(facts.demandHighest, ({ adjustment }) => adjustment.demand.highest);
  ofLevels(facts.demandAverage, ({ adjustment }) => adjustment.demand.average);
  ofLevels(facts.demandDeviation, ({ adjustment }) => adjustment.demand.deviation);
  ofLevels(facts.demandSmoothed, ({ adjustment }) => adjustment.smoothed);
  ofLevels(facts.target, ({ adjustment }) => adjustment.target);
  readStarts(registry, control);
  registry.readings(facts.fairFraction, () => [[[], control.fairFraction]]);

  const ofFlows = (
    metric: MetricFacts<readonly ['priority_level', 'flow_schema']>,
    name: 'waiting' | 'waitingSeats' | 'executing' | 'executingSeats',
  ): void => {
    registry.readings(metric, function* () {
      for (const [level, { flows }] of control.levels) {
        for (const [schema, { load }] of flows) yield [[level, schema], load[name]];
      }
    });
  };
  ofFlows(facts.waitingRequests, 'waiting');
  ofFlows(facts.waitingSeats, 'waitingSeats');
  ofFlows(facts.executingRequests, 'executing');
  ofFlows(facts.executingSeats, 'executingSeats');
}

/** A level in which no request waits has no series. */
function readStarts(registry: MetricRegistry, control: FlowControl): void {
  for (const [metric, name] of [
    [facts.nextStarts, 'starts'],
    [facts.nextDiscountedStarts, 'discounted'],
  ] as const) {
    registry.readings(metric, function* () {
      for (const [level, { queues }] of control.levels) {
        const bounds = queues.nextStarts?.[name];
        if (bounds === undefined) continue;
        yield [[level, 'min'], bounds.min];
        yield [[level, 'max'], bounds.max];
      }
    });
  }
}
