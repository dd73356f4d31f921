export { Forks, type ForkedServer, type StartFork } from './forks.js';
export { createForkPages, type ForkPages } from './pages.js';
export { Snapshots } from './snapshots.js';
