import type { KV } from '@binnacle/kv';
import type { Sources, StoreLocation } from './parts.js';

/** Opens a store of this type, and loads only its code. */
export async function openStore(location: StoreLocation, { clock, random }: Sources): Promise<KV> {
  switch (location.type) {
    case 'memory': {
      const { openMemoryKV } = await import('@binnacle/kv/memory');
      return openMemoryKV({ clock });
    }
    case 'embedded': {
      const { openEmbeddedKV } = await import('@binnacle/kv/embedded');
      return openEmbeddedKV({ directory: location.directory, clock });
    }
    case 'etcd': {
      const { openEtcdKV } = await import('@binnacle/kv/etcd');
      return openEtcdKV({ ...location.options, clock, random });
    }
  }
}
