export {
  COMPACT_REV_KEY,
  type CompactionOutcome,
  type CompactionTurn,
  FIRST_COMPACTION,
  takeCompactionTurn,
} from './compact-rev-key.js';
export { openEtcdKV } from './open.js';
export type { EtcdKVOptions, EtcdTLSOptions } from './options.js';
