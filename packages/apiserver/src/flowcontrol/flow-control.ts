import type { FlowSchema, PriorityLevelConfiguration } from '@binnacle/api/types/flowcontrol-v1';
import type { Clock, Timer } from '@binnacle/apimachinery/clock';
import type { UserInfo } from '../authentication/index.js';
import type { Refusal, Ticket, Work } from '../fairqueuing/index.js';
import { mandatoryLevels, mandatorySchemas } from './bootstrap-objects.js';
import { ADJUSTMENT_MS, currentLimits, smoothed } from './borrowing.js';
import { byPrecedence, type Classification, Classifier } from './classifier.js';
import type { FlowObservers } from './flow-observer.js';
import type { RequestFacts } from './flow-rules.js';
import { type LevelSettings, levelSettings } from './level-settings.js';
import { limitsOf } from './limits.js';
import { PriorityLevel } from './priority-level.js';

/** The stored objects. */
export interface FlowConfiguration {
  /** Increases whenever an object may have changed. */
  readonly changes: number;
  schemas(): Iterable<FlowSchema>;
  levels(): Iterable<PriorityLevelConfiguration>;
}

export interface FlowControlOptions {
  readonly clock: Clock;
  /** The seats of all priority levels together; positive. */
  readonly seats: number;
  readonly configuration: FlowConfiguration;
  readonly observers: FlowObservers;
}

/**
 * Decides which requests start, wait or are refused, by the stored flow schemas and priority levels. It reads them again
 * when a request finds that they have changed. It sets no timer while no level has requests.
 * Upstream: `pkg/util/flowcontrol/apf_controller.go`.
 */
export class FlowControl implements Disposable {
  readonly #options: FlowControlOptions;
  readonly #levels = new Map<string, PriorityLevel>();
  #classifier: Classifier;
  #changes: number | undefined;
  #timer: Timer | undefined;
  #adjustedAt: number;
  /** The part of their targets that levels get. */
  fairFraction = 0;
  /** How many requests may wait in the queues of all levels together. */
  places = 0;
  /** The nominal seats of all levels together. */
  nominalSeats = 0;

  constructor(options: FlowControlOptions) {
    this.#options = options;
    this.#adjustedAt = options.clock.monotonic();
    this.#classifier = this.#configured();
  }

  [Symbol.dispose](): void {
    this.#timer?.[Symbol.dispose]();
  }

  /** By name. */
  get levels(): ReadonlyMap<string, PriorityLevel> {
    return this.#levels;
  }

  classify(user: UserInfo, request: RequestFacts): Classification {
    if (this.#options.configuration.changes !== this.#changes) this.#classifier = this.#configured();
    return this.#classifier.classify(user, request);
  }

  /** Starts a request, or lets it wait, or says why it is refused. */
  arrive({ name, level, flow }: Classification, distinguisher: string, work: Work): Ticket | Refusal {
    if (this.#timer === undefined) this.#wake();
    const hand = level.handOf(name, distinguisher);
    const ticket = level.queues.arrive({ work, load: flow.load, hand });
    if (typeof ticket === 'string') flow.observer.refused(ticket);
    else if (ticket.queue !== undefined) flow.observer.queued(ticket.queue.length);
    return ticket;
  }

  cancel({ level, flow }: Classification, ticket: Ticket): void {
    level.queues.cancel(ticket);
    flow.observer.refused('time-out');
    this.#reap(level);
  }

  finish({ level }: Classification, ticket: Ticket): void {
    level.queues.finish(ticket);
    this.#reap(level);
  }

  #reap(level: PriorityLevel): void {
    if (level.isQuiescing && level.queues.isIdle) this.#changes = undefined;
  }

  #configured(): Classifier {
    const { configuration, seats } = this.#options;
    this.#changes = configuration.changes;
    const settings = this.#settingsInForce([...configuration.levels()].flatMap((level) => levelSettings(level) ?? []));
    const limits = limitsOf(settings, seats);
    for (const [index, own] of settings.entries()) {
      const limit = limits[index];
      if (limit !== undefined) this.#introduce(own, limit);
    }
    this.nominalSeats = limits.reduce((sum, { nominal }) => sum + nominal, 0);
    this.places = settings.reduce((sum, { queuing }) => sum + (queuing?.queues ?? 0) * (queuing?.queueLength ?? 0), 0);
    const stored = this.#classifications([...configuration.schemas()]);
    const names = new Set(stored.map(({ name }) => name));
    const missing = mandatorySchemas.filter(({ metadata }) => !names.has(metadata.name ?? ''));
    const all = [...stored, ...this.#classifications(missing)];
    this.#adjust();
    return new Classifier(all.sort((left, right) => byPrecedence(left.schema, right.schema)));
  }

  /** The settings of all levels in force: stored ones, mandatory ones, and old ones that still have requests. */
  #settingsInForce(stored: readonly LevelSettings[]): readonly LevelSettings[] {
    const names = new Set(stored.map(({ name }) => name));
    const mandatory = mandatoryLevels.flatMap((level) => levelSettings(level) ?? []);
    const missing = mandatory.filter(({ name }) => !names.has(name));
    for (const { name } of missing) names.add(name);
    const quiescing: LevelSettings[] = [];
    for (const [name, level] of this.#levels) {
      level.isQuiescing = !names.has(name);
      if (!level.isQuiescing) continue;
      if (level.queues.isIdle) this.#levels.delete(name);
      else quiescing.push(level.settings);
    }
    return [...stored, ...missing, ...quiescing];
  }

  #introduce(settings: LevelSettings, limits: PriorityLevel['limits']): void {
    const { clock, observers } = this.#options;
    const known = this.#levels.get(settings.name);
    if (known !== undefined) known.configure(settings, limits);
    else {
      this.#levels.set(settings.name, new PriorityLevel(clock, settings, limits, observers));
    }
  }

  /** A schema whose level is missing is not in force. */
  #classifications(schemas: readonly FlowSchema[]): readonly Classification[] {
    return schemas.flatMap((schema) => {
      const level = this.#levels.get(schema.spec?.priorityLevelConfiguration.name ?? '');
      if (level === undefined || level.isQuiescing) return [];
      const { name = '', uid = '' } = schema.metadata ?? {};
      return [{ schema, name, uid, level, flow: level.flowOf(name) }];
    });
  }

  /** Begins to follow the demand again. */
  #wake(): void {
    const { clock } = this.#options;
    const periods = Math.floor((clock.monotonic() - this.#adjustedAt) / ADJUSTMENT_MS);
    if (periods > 0) this.#adjust(periods);
    this.#timer = clock.setTimer(() => this.#tick(), ADJUSTMENT_MS).unref();
  }

  #tick(): void {
    this.#timer = undefined;
    this.#adjust();
    const isBusy = [...this.#levels.values()].some(({ adjustment }) => adjustment.demand.highest > 0);
    if (isBusy) this.#timer = this.#options.clock.setTimer(() => this.#tick(), ADJUSTMENT_MS).unref();
  }

  #adjust(periods = 1): void {
    const now = this.#options.clock.monotonic();
    this.#adjustedAt = now;
    const levels = [...this.#levels.values()];
    const demands = levels.map((level) => {
      const demand = level.queues.demand.take(now);
      const before = level.adjustment.smoothed;
      return { demand, smoothed: demand.seconds > 0 ? smoothed(before, demand, periods) : before };
    });
    const { limits, fairFraction } = currentLimits(
      levels.map(({ limits: own, settings: { isExempt } }, index) => ({
        ...own,
        isExempt,
        highest: demands[index]?.demand.highest ?? 0,
        smoothed: demands[index]?.smoothed ?? 0,
      })),
    );
    this.fairFraction = fairFraction;
    for (const [index, level] of levels.entries()) {
      const [demand, limit] = [demands[index], limits[index]];
      if (demand !== undefined && limit !== undefined) level.adjust(limit.seats, { ...demand, target: limit.target });
    }
  }
}
