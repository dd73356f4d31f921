import { seededRandom, VirtualClock } from '@binnacle/apimachinery/clock';
import { startInProcessServer } from '@binnacle/apiserver';
import type { LocalKV } from '@binnacle/kv';
import { openMemoryKV } from '@binnacle/kv/memory';

/** A Monday at midnight: when the objects that every server has were created, and when a simulation starts by default. */
export const FOUNDED = Date.UTC(2027, 0, 4);

/** A store with the objects that every server has. It depends on no seed, but on the code that has been loaded before. */
export async function bootstrapStore(): Promise<LocalKV> {
  const clock = new VirtualClock(FOUNDED);
  const kv = openMemoryKV({ clock });
  await (await startInProcessServer({ kv, clock, random: seededRandom(0) })).stop();
  return kv;
}
