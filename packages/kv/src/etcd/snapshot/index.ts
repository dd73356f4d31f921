export { isBoltHead } from './bolt-file.js';
export { readEtcdSnapshot } from './etcd-snapshot.js';
export { SnapshotError } from './snapshot-error.js';
