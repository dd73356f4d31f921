/** Reads what the binary of a Go package's tests reports: tests, and Ginkgo's specs within one of them. */

/**
 * The outcome of each test and spec that was run, `passed` or `failed`, by name. `text`: what the binary printed with `-test.v`.
 * `report`: Ginkgo's JSON report, where the package uses Ginkgo. The test that runs the specs is left out, because it fails with any
 * of them.
 */
export const outcomesOf = (text, report = []) => new Map([...testsOf(text), ...report.flatMap(specsOf)]);

function testsOf(text) {
  const runner = /=== RUN +(\S+)(?:(?!=== RUN)[^])*?Running Suite:/.exec(text)?.[1];
  return [...text.matchAll(/^ *--- (PASS|FAIL): (\S+) \(/gm)]
    .map(([, word, name]) => [name, word === 'PASS' ? 'passed' : 'failed'])
    .filter(([name]) => name !== runner);
}

/** A failed step before or after all specs counts too: without it, specs that were never run would be missing in silence. */
const specsOf = ({ SuiteDescription, SpecReports }) =>
  (SpecReports ?? [])
    .filter(({ LeafNodeType, State }) =>
      LeafNodeType === 'It' ? State !== 'skipped' && State !== 'pending' : State !== 'passed',
    )
    .map(({ ContainerHierarchyTexts, LeafNodeType, LeafNodeText, State }) => [
      [SuiteDescription, ...(ContainerHierarchyTexts ?? []), LeafNodeText || LeafNodeType].join(' '),
      State === 'passed' ? 'passed' : 'failed',
    ]);
