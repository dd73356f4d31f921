export { type ConsoleOptions, type RunningConsole, startConsole } from './console-server.js';
