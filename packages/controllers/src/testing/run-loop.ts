import { seededRandom } from '@binnacle/apimachinery/clock';
import { messageOf } from '@binnacle/apimachinery/errors';
import { SharedInformerFactory } from '@binnacle/client/cache';
import { DiscoveryClient } from '@binnacle/client/discovery';
import { DynamicClient } from '@binnacle/client/dynamic';
import { EventBroadcaster } from '@binnacle/client/events';
import { RecordedEvents, VirtualClock } from '@binnacle/client/testing';
import type { Transport } from '@binnacle/client/transport';
import type { CreateLoop, LoopSettings } from '../loop/index.js';

export interface RunningLoop {
  readonly clock: VirtualClock;
  /** The messages of the errors that the loop has reported. */
  readonly reports: readonly string[];
  /** The events that the loop has recorded. */
  readonly events: RecordedEvents;
  /** Stops the loop. Rejects if the loop failed, or if it has left a timer on the clock. */
  readonly end: () => Promise<void>;
}

interface LoopParts {
  readonly clock?: VirtualClock;
  readonly isSoleServer?: boolean;
  readonly certificateAuthority?: string;
  readonly loadBalancerIPRange?: string;
  readonly settings?: LoopSettings;
}

/** Runs a loop and its informers over a transport. Only the test advances the clock. */
export function runLoop(
  create: CreateLoop,
  transport: Transport,
  {
    clock = new VirtualClock(),
    isSoleServer = true,
    certificateAuthority = '',
    loadBalancerIPRange = '',
    settings = {},
  }: LoopParts = {},
): RunningLoop {
  const stop = new AbortController();
  const reports: string[] = [];
  const client = new DynamicClient(transport);
  const random = seededRandom(1);
  const informers = new SharedInformerFactory(client, { clock, random });
  const reading = informers.run(stop.signal);
  const events = new RecordedEvents();
  const loop = create({
    client,
    transport,
    informers,
    discovery: new DiscoveryClient(transport),
    events: new EventBroadcaster([events], { clock, random }),
    clock,
    random,
    certificateAuthority,
    isSoleServer,
    loadBalancerIPRange,
    settings,
    report: (error) => reports.push(messageOf(error)),
  });
  const running = loop.run(stop.signal);
  return {
    clock,
    reports,
    events,
    end: async () => {
      stop.abort();
      await Promise.all([reading, running]);
      if (clock.waiting > 0) throw new Error(`${clock.waiting} timers are left on the clock`);
    },
  };
}
