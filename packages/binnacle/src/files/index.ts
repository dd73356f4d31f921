export { baseDirectory } from './base-directory.js';
export {
  ensurePrivateDirectory,
  readTextIfPresent,
  replacePrivateFile,
  writePrivateFile,
  writePrivateFileAnyway,
} from './private-file.js';
export { type DataDirectoryLayout, dataDirectoryLayout, defaultDataDirectory } from './data-directory.js';
export { describeFileError } from './file-error.js';
export { readText } from './read-text.js';
export { WatchedFile, type WatchedFileOptions } from './watched-file.js';
