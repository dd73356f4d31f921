import { counterFacts, gaugeFacts, type MetricRegistry } from '@binnacle/apimachinery/metrics';

/** Metrics of the memory that is reserved for requests in progress. */
export const memoryFacts = {
  reserved: gaugeFacts(
    'binnacle_memory_reserved_bytes',
    undefined,
    [],
    'Memory that the requests under way may take, estimated, in bytes.',
  ),
  room: gaugeFacts(
    'binnacle_memory_room_bytes',
    undefined,
    [],
    'Memory that all requests together may take now, in bytes; see `--max-memory`.',
  ),
  refused: counterFacts(
    'binnacle_memory_refused_requests_total',
    undefined,
    [],
    'Requests that were answered 429 because no memory was left for them.',
  ),
};

export interface ObservedMemory {
  readonly reserved: number;
  readonly room: number;
  readonly refused: number;
}

export function readMemory(registry: MetricRegistry, memory: ObservedMemory): void {
  registry.readings(memoryFacts.reserved, () => [[[], memory.reserved]]);
  registry.readings(memoryFacts.room, () => [[[], memory.room]]);
  registry.readings(memoryFacts.refused, () => [[[], memory.refused]]);
}
