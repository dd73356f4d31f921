import type { HistoryParts } from './parts.js';
import type { HistoryRequest } from './requests/request.js';
import { runBlame } from './run-blame.js';
import { runBisect, runFork, runSnapshot } from './run-forks.js';
import { runLog, runShow } from './run-log.js';
import { runRevert } from './run-revert.js';
import { runDiff, runExport, runGet } from './run-states.js';

/** Carries out a request. Rejects with an Error whose message is for people. */
export async function runHistory(request: HistoryRequest, parts: HistoryParts): Promise<void> {
  switch (request.action) {
    case 'log':
      return runLog(request, parts);
    case 'show':
      return runShow(request, parts);
    case 'diff':
      return runDiff(request, parts);
    case 'get':
      return runGet(request, parts);
    case 'blame':
      return runBlame(request, parts);
    case 'export':
      return runExport(request, parts);
    case 'revert':
      return runRevert(request, parts);
    case 'snapshot':
      return runSnapshot(request, parts);
    case 'fork':
      return runFork(request, parts);
    case 'bisect': {
      const revision = String(await runBisect(request, parts));
      await parts.print(`${revision} is the first bad revision\n`);
      return runShow({ revision, target: undefined, scope: request.scope }, parts);
    }
  }
}
