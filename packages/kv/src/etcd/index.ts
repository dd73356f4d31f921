export {
  COMPACT_REV_KEY,
  type CompactionOutcome,
  type CompactionTurn,
  compactRevKey,
  FIRST_COMPACTION,
} from './compact-rev-key.js';
export { openEtcdKV } from './open.js';
export type { EtcdKVOptions, EtcdTLSOptions } from './options.js';
