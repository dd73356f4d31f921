export { ensurePrivateDirectory, readTextIfPresent, writePrivateFile } from './private-file.js';
export { describeFileError, hasErrorCode } from './file-error.js';
