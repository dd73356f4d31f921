export { type ParsedYaml, parseYaml } from './parse.js';
export { stringifyYaml } from './stringify.js';
export { YamlError } from './yaml-error.js';
