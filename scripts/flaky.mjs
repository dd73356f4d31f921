/** A run with more failed files than this has a defect that a second run must not hide. */
const MOST = 3;

/**
 * The files that run once more, alone, after a run of all tests: those with a failed test. None when there are more than three,
 * or when a failure belongs to no test file, such as the end of the process that many files share.
 *
 * @param {readonly string[]} failed Paths of files with failed tests.
 * @param {readonly string[]} testFiles Paths of all test files of the run.
 */
export function filesToRunAgain(failed, testFiles) {
  return failed.length <= MOST && failed.every((file) => testFiles.includes(file)) ? failed : [];
}
