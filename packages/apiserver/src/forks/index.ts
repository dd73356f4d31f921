export { Forks, type ForkedServer, type StartFork } from './forks.js';
export { createForkPages, type ForkPages, refusedForkPages } from './pages.js';
export { Snapshots } from './snapshots.js';
