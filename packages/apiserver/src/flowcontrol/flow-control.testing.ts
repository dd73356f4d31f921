import type { FlowSchema, PriorityLevelConfiguration } from '@binnacle/api/types/flowcontrol-v1';
import type { Clock } from '@binnacle/apimachinery/clock';
import { suggestedLevels, suggestedSchemas } from './bootstrap-objects.js';
import { type FlowConfiguration, FlowControl } from './flow-control.js';
import type { FlowObserver } from './flow-observer.js';

/** A configuration that tests edit. */
export class TestConfiguration implements FlowConfiguration {
  changes = 0;
  #schemas: readonly FlowSchema[] = suggestedSchemas;
  #levels: readonly PriorityLevelConfiguration[] = suggestedLevels;

  set(schemas: readonly FlowSchema[], levels: readonly PriorityLevelConfiguration[]): void {
    this.#schemas = schemas;
    this.#levels = levels;
    this.changes++;
  }

  schemas(): Iterable<FlowSchema> {
    return this.#schemas;
  }

  levels(): Iterable<PriorityLevelConfiguration> {
    return this.#levels;
  }
}

/** Flow control whose observers write down what they are told, with the names of level and schema. */
export function testFlowControl(clock: Clock, configuration: FlowConfiguration, seats = 600) {
  const told: string[] = [];
  const observe = (level: string, schema: string): FlowObserver => {
    const tell =
      (what: string) =>
      (...values: readonly unknown[]): void => {
        told.push([level, schema, what, ...values.map(String)].join(' '));
      };
    return {
      estimated: tell('estimated'),
      queued: tell('queued'),
      waited: tell('waited'),
      executed: tell('executed'),
      refused: tell('refused'),
      dispatched: tell('dispatched'),
      noRoom: tell('noRoom'),
      watches: tell('watches'),
    };
  };
  const observers = { flow: observe, level: () => ({ changed: () => undefined }) };
  return { control: new FlowControl({ clock, seats, configuration, observers }), told };
}

/** A level, in which requests wait if it has queues. */
export function level(name: string, shares: number, queues = 0, queueLengthLimit = 1): PriorityLevelConfiguration {
  const queuing = { queues, handSize: 1, queueLengthLimit };
  return {
    metadata: { name, uid: `uid of level ${name}` },
    spec: {
      type: 'Limited',
      limited: {
        nominalConcurrencyShares: shares,
        limitResponse: queues === 0 ? { type: 'Reject' } : { type: 'Queue', queuing },
      },
    },
  };
}

/** A schema for the users of a group. */
export function schema(name: string, levelName: string, precedence: number, group = name): FlowSchema {
  return {
    metadata: { name, uid: `uid of schema ${name}` },
    spec: {
      priorityLevelConfiguration: { name: levelName },
      matchingPrecedence: precedence,
      distinguisherMethod: { type: 'ByUser' },
      rules: [
        {
          subjects: [{ kind: 'Group', group: { name: group } }],
          resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], namespaces: ['*'], clusterScope: true }],
          nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
        },
      ],
    },
  };
}
