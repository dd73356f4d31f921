export { type Program, programs, writeAssets } from './assets.js';
export { dataDirectoryOf, readEtcdArguments, serveEtcd } from './etcd.js';
export { watchParent } from './parent.js';
export { serveArguments, storeUrl } from './serve-arguments.js';
