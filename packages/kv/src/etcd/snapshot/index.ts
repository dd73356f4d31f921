export { isBoltHead } from './bolt-file.js';
export { readEtcdSnapshot } from './etcd-snapshot.js';
export { SnapshotError } from './snapshot-error.js';
export { type SnapshotEntry, writeEtcdSnapshot } from './write-etcd-snapshot.js';
