/** Records which code of the packages runs in this process, from the call of `collectCoverage` to the end. */
import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { repositoryRoot } from '../test-files.mjs';

const packages = pathToFileURL(join(repositoryRoot, 'packages/')).href;

/** Call it before the code is loaded. V8's report is written to the file when the process exits. */
export function collectCoverage(file) {
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  // It is enough to know whether a block ran. Counts cost more.
  session.post('Profiler.startPreciseCoverage', { callCount: false, detailed: true });
  process.once('exit', () => {
    // A session with its own process answers before `post` returns.
    session.post('Profiler.takePreciseCoverage', (error, report) => {
      if (error !== null) throw new Error(`coverage: ${error.message}`);
      writeFileSync(file, JSON.stringify(report.result.filter(({ url }) => url.startsWith(packages))));
    });
  });
}
