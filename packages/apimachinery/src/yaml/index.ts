export { type ParsedYaml, parseYaml, parseYamlInSteps } from './parse.js';
export { stringifyYaml, stringifyYamlForFile, yamlAround, yamlPieces } from './stringify.js';
export { YamlError } from './yaml-error.js';
