export { BuiltInCodec } from './built-in-codec.js';
export type { KindCodec } from './kind-codec.js';
export { VersionSet, type VersionSetOptions } from './version-set.js';
