/** The kit for Java as a user gets it: an artifact of Maven, Binnacle from npm's packages, and nothing of this repository. */
import assert from 'node:assert/strict';
import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { inEmptyFolder, installBinnacle, repository } from './kits.mjs';
import { cache, hasMaven, here, mavenIn, unlessAsked } from './programs.mjs';

const skip = unlessAsked('kits-java', hasMaven(), 'there is no mvn with Java 17 or newer on the PATH');

it(
  'the test kit for Java passes its suite, and an operator of the Java Operator SDK its own',
  { skip, timeout: 30 * 60_000 },
  () =>
    inEmptyFolder(async (folder) => {
      await installBinnacle(folder);
      const [kit, project] = ['kit', 'project'].map((name) => join(folder, name));
      const source = join(repository, 'kits/java');
      for (const name of ['pom.xml', 'src']) cpSync(join(source, name), join(kit, name), { recursive: true });
      // Installed artifacts go to the repository that the project reads. Those of earlier runs must not be read.
      rmSync(join(cache, 'maven/dev/binnacle'), { recursive: true, force: true });
      await mavenIn(kit)(['install', '-Dmaven.test.skip=true']);
      cpSync(join(here, 'kits-java/pom.xml'), join(project, 'pom.xml'));
      cpSync(join(source, 'src/test'), join(project, 'src/test'), { recursive: true });
      // Only the folder above has Binnacle.
      await mavenIn(project)(['test'], { BINNACLE_PATH: '' });
      const { run, skipped } = countTests(join(project, 'target/surefire-reports'));
      assert.ok(run >= 40, `${run} tests have run`);
      assert.equal(skipped, 0);

      const example = join(folder, 'operator-sdk-java');
      cpSync(join(repository, 'examples/operator-sdk-java'), example, { recursive: true });
      await mavenIn(example)(['test'], { BINNACLE_PATH: '' });
      assert.deepEqual(countTests(join(example, 'target/surefire-reports')), { run: 3, skipped: 0 });
    }),
);

/** How many tests the reports of surefire tell of. */
function countTests(folder) {
  const reports = readdirSync(folder)
    .filter((name) => name.endsWith('.xml'))
    .map((name) => readFileSync(join(folder, name), 'utf8'));
  const count = (pattern) => reports.reduce((sum, report) => sum + (report.match(pattern)?.length ?? 0), 0);
  return { run: count(/<testcase /g), skipped: count(/<skipped/g) };
}
