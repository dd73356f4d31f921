import type { BatchTarget } from '@binnacle/apimachinery/batching';
import type { AuditEvent } from './event.js';

/** Where events go. A sink keeps their order. It never throws. */
export interface AuditSink {
  /**
   * Takes an event. Resolves once it is stored or lost, or at once if the sink collects events. False: it is lost, and the
   * request that it announces must fail.
   */
  take(event: AuditEvent): Promise<boolean>;
  /** Undefined if the sink keeps up. Otherwise new requests wait for this promise. */
  backlog(): Promise<void> | undefined;
  /**
   * Stores what it has taken, then resolves. Takes nothing afterwards. Events that a service does not take within this time are lost;
   * default: five seconds.
   */
  close(withinMs?: number): Promise<void>;
}

/** Where batches of events go. */
export type AuditTarget = BatchTarget<AuditEvent>;

/** Gives each event to all sinks. */
export function unionOfSinks(sinks: readonly AuditSink[]): AuditSink {
  const [only] = sinks;
  if (sinks.length === 1 && only !== undefined) return only;
  return {
    take: async (event) => (await Promise.all(sinks.map((sink) => sink.take(event)))).every(Boolean),
    backlog: () => {
      const waiting = sinks.map((sink) => sink.backlog()).filter((each) => each !== undefined);
      return waiting.length === 0 ? undefined : Promise.all(waiting).then(() => undefined);
    },
    close: async (withinMs) => {
      await Promise.all(sinks.map((sink) => sink.close(withinMs)));
    },
  };
}

/** Batches go to a sink event by event. */
export function sinkTarget(sink: AuditSink): AuditTarget {
  return {
    send: async (events) => {
      await Promise.all(events.map((event) => sink.take(event)));
    },
    close: () => sink.close(),
  };
}
