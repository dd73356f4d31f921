/**
 * Checks the rooms (packages/<package>/src/<room>/):
 *
 * - scripts/rooms.json allows each import between rooms, and type imports count like others;
 * - an import names the index or an entry point of a room, which the package of the room exports;
 * - there are no undeclared dependencies, no circular imports, and no Node.js modules in pure packages;
 * - every room has a README and is named in docs/architecture.md;
 * - files that only tests import are named `x.testing.ts`;
 * - a room that is bundled for browsers has an entry instead of an index, and its libraries are devDependencies.
 *
 * `node scripts/check-rooms.mjs [ROOT]` prints one line for each fault and exits 1, or prints a summary and exits 0.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, posix, relative, resolve, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { checkClockAndRandom } from './check-clock-and-random.mjs';

const staticImport =
  /^(?:import|export)\s+(?:type\s+)?(?:(?:[\w$]+\s*,\s*)?(?:\*(?:\s+as\s+[\w$]+)?|\{[^}]*\})|[\w$]+)\s+from\s+['"]([^'"]+)['"]/gm;
const bareImport = /^import\s+['"]([^'"]+)['"]/gm;
const dynamicImport = /^(?!\s*(?:\*|\/\/|\/\*)).*?\bimport\(\s*['"]([^'"]+)['"]\s*\)/gm;

/** What a source imports, in order of form: `[specifier, ...]`. Imports in comments do not count. */
export function importsOf(source) {
  return [staticImport, bareImport, dynamicImport].flatMap((pattern) =>
    Array.from(source.matchAll(pattern), (match) => match[1]),
  );
}

/** The room of a package that only tests import. Packages leave it out. */
const TESTING = 'testing';

/** Tests, and the files that support them. */
const isOfTests = (path) => /\.(test|testing)\.tsx?$/.test(path);

function* sourcesUnder(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* sourcesUnder(path);
    else if (/\.tsx?$/.test(entry.name)) yield path;
  }
}

/** `['a/b', 'a/*']` holds `a/b`, and all rooms of package `a`. */
const allows = (list, room) => list.includes(room) || list.includes(`${room.split('/')[0]}/*`);

/**
 * The target of an import: a room (`deep` if it bypasses the index and the entry points), a file outside of the package, the file
 * that exports the package, a Node.js module, or an external package. `layout`: `{ root, scope, entryPoints }`.
 */
function resolveImport(specifier, file, packageName, layout) {
  if (isBuiltin(specifier)) return { kind: 'node' };
  if (specifier.startsWith('.')) {
    const folder = dirname(relative(join(layout.root, 'packages', packageName, 'src'), file))
      .split(sep)
      .join('/');
    const target = posix.join(folder, specifier);
    return target.startsWith('..') ? { kind: 'outside' } : roomAt(packageName, target, layout);
  }
  const [first, second, ...rest] = specifier.split('/');
  if (first === layout.scope && second !== undefined) {
    const target = exportedFile(join(layout.root, 'packages', second), rest.join('/'));
    if (target === undefined) return { kind: 'not-exported', package: `${first}/${second}` };
    return { ...roomAt(second, target, layout), package: `${first}/${second}` };
  }
  return { kind: 'dependency', package: specifier.startsWith('@') ? `${first}/${second}` : first };
}

/** The room that holds a file, given by its path in `src` or `dist`. */
function roomAt(packageName, path, { entryPoints }) {
  const [name, ...rest] = path.split('/');
  if (rest.length === 0) return { kind: 'package-root' };
  const room = `${packageName}/${name}`;
  const inner = rest.join('/');
  const isEntryPoint = (entryPoints[room] ?? []).some((folder) => inner.startsWith(`${folder}/`));
  return { kind: 'room', room, deep: inner !== 'index.js' && !isEntryPoint };
}

/** The file in `dist` that a package exports as `subpath`, by its name or by a pattern; undefined when it exports none. */
function exportedFile(packageFolder, subpath) {
  const { exports = {} } = readJsonIfPresent(join(packageFolder, 'package.json')) ?? {};
  const exact = exports[subpath === '' ? '.' : `./${subpath}`];
  if (exact !== undefined) return exact.replace('./dist/', '');
  for (const [pattern, target] of Object.entries(exports)) {
    const [before, after] = pattern.slice('./'.length).split('*');
    if (after === undefined || !subpath.startsWith(before) || !subpath.endsWith(after)) continue;
    return target.replace('./dist/', '').replace('*', subpath.slice(before.length, subpath.length - after.length));
  }
  return undefined;
}

const readJsonIfPresent = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined);

/** All faults, each a line of text that names the file. */
export function checkRooms(root) {
  const rules = JSON.parse(readFileSync(join(root, 'scripts', 'rooms.json'), 'utf8'));
  const rootManifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const layout = { root, scope: rules.scope, entryPoints: rules.entryPoints ?? {} };
  const faults = [];
  const edges = new Map();
  const fileEdges = new Map();

  for (const packageName of readdirSync(join(root, 'packages'))) {
    const packageFolder = join(root, 'packages', packageName);
    if (!existsSync(join(packageFolder, 'src'))) continue;
    const { dependencies = {}, devDependencies = {} } = JSON.parse(
      readFileSync(join(packageFolder, 'package.json'), 'utf8'),
    );
    const declared = new Set(Object.keys(dependencies));
    const declaredForTests = new Set(
      Object.keys({ ...dependencies, ...rootManifest.devDependencies, ...devDependencies }),
    );

    for (const entry of readdirSync(join(packageFolder, 'src'), { withFileTypes: true })) {
      if (!entry.isDirectory()) continue;
      const room = `${packageName}/${entry.name}`;
      const folder = join(packageFolder, 'src', entry.name);
      const isBundled = (rules.bundled ?? []).includes(room);
      faults.push(...missingParts(folder, room, isBundled, rules, layout));
      const targets = new Set();
      edges.set(room, targets);
      for (const file of sourcesUnder(folder)) {
        const isForTests = isOfTests(file) || entry.name === TESTING || isBundled;
        const importer = { file, room, rules, declared: isForTests ? declaredForTests : declared };
        const where = relative(root, file);
        const imports = importsOf(readFileSync(file, 'utf8'));
        fileEdges.set(where, neighboursOf(file, imports, root));
        for (const specifier of imports) {
          const target = resolveImport(specifier, file, packageName, layout);
          const reasons = faultsOfImport(specifier, target, importer);
          faults.push(...reasons.map((reason) => `${where}: imports ${specifier}: ${reason}`));
          if (target.kind === 'room' && target.room !== room && !isOfTests(file)) targets.add(target.room);
        }
      }
    }
  }
  for (const room of Object.keys(rules.rooms)) {
    if (!edges.has(room)) faults.push(`scripts/rooms.json: room ${room} does not exist`);
  }
  for (const cycle of cyclesIn(edges)) faults.push(`rooms import each other in a circle: ${cycle.join(' -> ')}`);
  for (const cycle of cyclesIn(fileEdges)) faults.push(`files import each other in a circle: ${cycle.join(' -> ')}`);
  faults.push(...unnamedRooms(root, new Set(edges.keys())), ...misnamedSupport(fileEdges));
  return { faults, rooms: edges.size };
}

/** What a room must have and lacks. */
function missingParts(folder, room, isBundled, rules, { root, entryPoints }) {
  const needsIndex = entryPoints[room] === undefined && !isBundled;
  const reasons = [
    ...(existsSync(join(folder, 'README.md')) ? [] : ['no README.md']),
    ...(!needsIndex || existsSync(join(folder, 'index.ts')) ? [] : ['no index.ts']),
    ...(rules.rooms[room] === undefined ? ['not in scripts/rooms.json'] : []),
  ];
  return reasons.map((reason) => `${relative(root, folder)}: ${reason}`);
}

/** What is wrong with an import. `importer`: the file, its room, the rules, and the packages that it may use. */
function faultsOfImport(specifier, target, { file, room, rules, declared }) {
  const [packageName] = room.split('/');
  const undeclared = declared.has(target.package)
    ? []
    : [`${target.package} is not a dependency in packages/${packageName}/package.json`];
  switch (target.kind) {
    case 'node': {
      const isFine = !rules.pure.includes(packageName) || rules.pureModules.includes(specifier) || isOfTests(file);
      return isFine ? [] : [`${packageName} is pure, no modules of node`];
    }
    case 'outside':
      return ['reaches out of the package; use the package name'];
    case 'not-exported':
      return [`packages/${target.package.split('/')[1]}/package.json does not export it`];
    case 'package-root':
      return ['a room must not import the file that exports it'];
    case 'dependency':
      return undeclared;
    case 'room': {
      if (target.room === room) return [];
      const allowed = rules.rooms[room];
      const isForbidden = allowed !== undefined && !isOfTests(file) && !allows(allowed, target.room);
      return [
        ...(target.deep ? ['another room is imported through its index alone'] : []),
        ...(target.package === undefined ? [] : undeclared),
        ...(isForbidden ? [`scripts/rooms.json does not let ${room} import ${target.room}`] : []),
      ];
    }
  }
}

/** The files of the same package that a file imports. */
function neighboursOf(file, imports, root) {
  const relatives = imports.filter((specifier) => specifier.startsWith('.'));
  return relatives.map((specifier) => {
    const source = join(dirname(file), specifier.replace(/\.js$/, '.ts'));
    return relative(root, existsSync(source) ? source : `${source}x`);
  });
}

/** Files that only tests import are told by their names, so that packages leave them out. An index is for other packages too. */
function misnamedSupport(fileEdges) {
  const importers = new Map();
  for (const [file, neighbours] of fileEdges) {
    for (const neighbour of neighbours) importers.set(neighbour, [...(importers.get(neighbour) ?? []), file]);
  }
  return [...fileEdges.keys()].flatMap((file) => {
    const files = importers.get(file) ?? [];
    const other = files.find((importer) => !isOfTests(importer));
    if (isOfTests(file)) return other === undefined ? [] : [`${other}: imports ${file}, which is for tests`];
    if (files.length === 0 || other !== undefined || /\/(generated\/.*|index\.ts)$/.test(file)) return [];
    return [`${file}: only tests import it; name it ${file.replace(/\.(tsx?)$/, '.testing.$1')}`];
  });
}

/** The table of packages in docs/architecture.md has a row for each package, with its rooms in the last column. */
function unnamedRooms(root, rooms) {
  const rows = readFileSync(join(root, 'docs', 'architecture.md'), 'utf8').matchAll(/^\| `([\w-]+)` \|.*\| (.*) \|$/gm);
  const named = new Set(Array.from(rows, ([, name, list]) => list.split(', ').map((room) => `${name}/${room}`)).flat());
  return [
    ...[...rooms].filter((room) => !named.has(room)).map((room) => `docs/architecture.md: room ${room} is not named`),
    ...[...named].filter((room) => !rooms.has(room)).map((room) => `docs/architecture.md: room ${room} does not exist`),
  ];
}

/** One cycle for each edge that closes one, in the order of a depth-first walk. */
function cyclesIn(edges) {
  const cycles = [];
  const state = new Map();
  const path = [];
  const visit = (room) => {
    state.set(room, 'open');
    path.push(room);
    for (const next of edges.get(room) ?? []) {
      if (state.get(next) === 'open') cycles.push([...path.slice(path.indexOf(next)), next]);
      else if (!state.has(next)) visit(next);
    }
    path.pop();
    state.set(room, 'closed');
  };
  for (const room of edges.keys()) if (!state.has(room)) visit(room);
  return cycles;
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const root = resolve(process.argv[2] ?? join(dirname(fileURLToPath(import.meta.url)), '..'));
  const { faults: faultsOfRooms, rooms } = checkRooms(root);
  const faults = [...faultsOfRooms, ...checkClockAndRandom(root)];
  for (const line of faults) console.error(line);
  console.error(
    faults.length === 0 ? `${rooms} rooms, nothing to object to` : `${faults.length} faults in ${rooms} rooms`,
  );
  process.exitCode = faults.length === 0 ? 0 : 1;
}
