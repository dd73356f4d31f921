export { BuiltInCodec } from './built-in-codec.js';
export { builtInVersions, createCodec } from './built-in-versions.js';
export type { Decoded, KindCodec } from './kind-codec.js';
export {
  documentLoading,
  type DocumentMediaType,
  documentWriting,
  readStoredDocument,
  writeStoredDocument,
} from './stored-document.js';
export type { StorageMediaType } from './storage-media-type.js';
export { VersionSet, type VersionSetOptions } from './version-set.js';
