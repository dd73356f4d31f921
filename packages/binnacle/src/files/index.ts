export { baseDirectory } from './base-directory.js';
export { ensurePrivateDirectory, readTextIfPresent, writePrivateFile } from './private-file.js';
export { describeFileError, hasErrorCode } from './file-error.js';
export { readText } from './read-text.js';
export { WatchedFile, type WatchedFileOptions } from './watched-file.js';
