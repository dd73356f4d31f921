export { type ConsoleOptions, type RunningConsole, startConsole } from './console-server.js';
export { Feed } from './feed.js';
export { watchableKinds } from './kinds.js';
