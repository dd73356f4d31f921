import type { KV } from '@binnacle/kv';
import type { StoreLocation } from './parts.js';

/** Opens a store of this type, and loads only its code. */
export async function openStore(location: StoreLocation): Promise<KV> {
  switch (location.type) {
    case 'memory': {
      const { openMemoryKV } = await import('@binnacle/kv/memory');
      return openMemoryKV();
    }
    case 'embedded': {
      const { openEmbeddedKV } = await import('@binnacle/kv/embedded');
      return openEmbeddedKV({ directory: location.directory });
    }
    case 'etcd': {
      const { openEtcdKV } = await import('@binnacle/kv/etcd');
      return openEtcdKV(location.options);
    }
  }
}
