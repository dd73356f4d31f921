export { BuiltInCodec } from './built-in-codec.js';
export { CustomCodec, type CustomCodecOptions } from './custom-codec.js';
export { ConvertedVersions, CustomVersions, OUTDATED_VALUE } from './custom-versions.js';
export type { KindCodec } from './kind-codec.js';
export { VersionSet, type VersionSetOptions } from './version-set.js';
