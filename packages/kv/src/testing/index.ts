export { forksAgreeWithModel } from './fork-run.js';
export { durableKVSuite, type OpenDurableKV } from './durable-suite.js';
export { type EtcdBinary, etcdBinaries, runSnapshotTool, snapshotTool, withoutEtcd } from './etcd-binaries.js';
export { EtcdProcess, type EtcdSettings } from './etcd-process.js';
export { Link } from './link.js';
export { kvSuite } from './kv-suite.js';
export type { KVSuiteFeatures, OpenKV } from './kv-under-test.js';
export { agreeWithModel } from './model-run.js';
export { RecordingWatch } from './helpers.js';
