import type { KV } from '@binnacle/kv/interface';

/** The embedded store in a directory, or one in memory. Only the one that is used is loaded. */
export async function openStore(directory: string | undefined): Promise<KV> {
  if (directory === undefined) {
    const { openMemoryKV } = await import('@binnacle/kv/memory');
    return openMemoryKV();
  }
  const { openEmbeddedKV } = await import('@binnacle/kv/embedded');
  return openEmbeddedKV({ directory });
}
