export { containerIdOf, type ContainerRun, runOf, sameRun, statusOf } from './container-run.js';
export { type LogQuery, readLogQuery } from './log-query.js';
export { LogReader } from './log-reader.js';
export { type LogLine, logTime, type ReadableLog, RunLog, runLogOf } from './run-log.js';
