/** Reads the declarations that a module exports from the `.d.ts` files that the compiler writes. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * What a file exports, by name: the text of the declaration as the compiler writes it, without comments and private members.
 * Follows exports from other files; `fileOf` finds those of a package, and returns undefined for a package from outside.
 *
 * @param {string} file path of a `.d.ts` file
 * @param {(specifier: string) => string | undefined} fileOf
 * @returns {Map<string, string>}
 */
export function exportsOf(file, fileOf) {
  const { declarations, exported, passedOn } = readModule(file);
  const found = new Map();
  for (const [name, local] of exported) found.set(name, renamed(known(declarations, local, file), local, name));
  for (const { specifier, names } of passedOn) {
    const inPackage = specifier.startsWith('.');
    const path = inPackage ? join(dirname(file), specifier.replace(/\.js$/, '.d.ts')) : fileOf(specifier);
    const theirs = path === undefined ? undefined : exportsOf(path, fileOf);
    for (const [name, original] of names ?? [...(theirs ?? [])].map(([each]) => [each, each])) {
      const text = theirs === undefined ? `export { ${original} } from '${specifier}';` : known(theirs, original, path);
      found.set(name, renamed(text, original, name));
    }
  }
  return found;
}

function known(declarations, name, file) {
  const text = declarations.get(name);
  if (text === undefined) throw new Error(`${file}: cannot find the declaration of ${name}`);
  return text;
}

const renamed = (text, from, to) => (from === to ? text : `// as ${to}\n${text}`);

const DECLARATION =
  /^(?:export )?(?:declare )?(?:abstract )?(?:interface|type|class|function|const|let|enum) (?<name>[\w$]+)/;

/** `exported`: pairs of the public and the local name. `passedOn`: exports from other modules; without `names`, all. */
function readModule(file) {
  const declarations = new Map();
  const exported = [];
  const passedOn = [];
  for (const statement of statementsOf(readFileSync(file, 'utf8'))) {
    const list = /^export (?:type )?(?:\*|\{(?<names>[^}]*)\})(?: from ['"](?<specifier>[^'"]+)['"])?;/.exec(statement);
    if (list !== null) {
      const { names, specifier } = list.groups;
      const pairs = names === undefined ? undefined : pairsOf(names);
      if (specifier === undefined) exported.push(...pairs);
      else passedOn.push({ specifier, names: pairs });
      continue;
    }
    const name = DECLARATION.exec(statement)?.groups.name;
    if (name === undefined) {
      if (!statement.startsWith('import ')) throw new Error(`${file}: cannot read ${statement.split('\n')[0]}`);
      continue;
    }
    const before = declarations.get(name);
    declarations.set(name, before === undefined ? statement : `${before}\n${statement}`);
    if (statement.startsWith('export ') && before === undefined) exported.push([name, name]);
  }
  return { declarations, exported, passedOn };
}

/** `a, type B, c as d` to pairs of the public and the original name. */
function pairsOf(names) {
  return names
    .split(',')
    .map((each) => each.trim().replace(/^type /, ''))
    .filter((each) => each !== '')
    .map((each) => each.split(' as '))
    .map(([original, name = original]) => [name, original]);
}

/** The compiler begins each statement in the first column, and indents or closes all that belongs to it. */
function statementsOf(text) {
  return text
    .replace(/^[ \t]*\/\*[\s\S]*?\*\/\n/gm, '')
    .replace(/^\/\/.*\n?/gm, '')
    .replace(/^ +(?:private|#private)\b.*\n/gm, '')
    .split(/\n(?=[a-z])/)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}
