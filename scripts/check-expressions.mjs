/**
 * Examines the regular expressions in the sources of all packages: each must match any text in time linear in its length.
 *
 * A program finds the texts that make an expression slow, if there are any. scripts/expressions.json lists the expressions
 * that are slow, or that the program cannot read or examine in a few seconds, with the reason why this does no harm. It also
 * lists each `new RegExp` whose text is not made of the constants of its file. Tests and rooms named `testing` are exempt.
 *
 * Not examined: how often a search goes on after a match (the flags `g` and `y`).
 *
 * `node scripts/check-expressions.mjs [ROOT]` prints one line for each fault and exits 1, or prints a summary and exits 0.
 */
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parse } from 'acorn';
import { transform } from 'esbuild';
// The entry for browsers starts no other program, so its verdicts are the same on all machines.
import recheck from 'recheck/lib/browser.js';
import { packageSources } from './package-sources.mjs';

const LIST = 'scripts/expressions.json';
/** Only ends a hang: what takes a tenth of it belongs in the list. */
const LIMIT_MS = 60_000;

/** All faults, each a line of text that names the file and the expression. */
export async function checkExpressions(root) {
  const accepted = JSON.parse(readFileSync(join(root, LIST), 'utf8'));
  const unused = new Set(
    Object.entries(accepted).flatMap(([file, reasons]) => Object.keys(reasons).map((text) => `${file}: ${text}`)),
  );
  const verdicts = new Map();
  const faults = [];
  let count = 0;
  for (const { file, source } of await Promise.all(Array.from(packageSources(root), (file) => readCode(root, file)))) {
    for (const { text, expression } of expressionsOf(source)) {
      count++;
      if (unused.delete(`${file}: ${text}`) || accepted[file]?.[text] !== undefined) continue;
      if (!verdicts.has(text)) verdicts.set(text, expression === undefined ? UNKNOWN : verdictOf(expression));
      const verdict = verdicts.get(text);
      if (verdict !== undefined) faults.push(`${file}: ${text}: ${verdict}`);
    }
  }
  return { faults: [...faults, ...Array.from(unused, (line) => `${LIST}: not used: ${line}`)], count };
}

const UNKNOWN = `its text is not constant. Use constants of the file, or say in ${LIST} why it takes linear time`;

/** Undefined: a match takes linear time. */
export function verdictOf({ source, flags }) {
  if (!/[*+{]/.test(source)) return undefined;
  const { status, complexity, error, attack } = recheck.checkSync(source, flags.replace('v', 'u'), {
    checker: 'automaton',
    timeout: LIMIT_MS,
  });
  if (status === 'safe') return undefined;
  if (status === 'vulnerable') return `${complexity.summary} time, for example on ${attack.pattern}`;
  return `cannot be examined (${error.kind}). Say in ${LIST} why it takes linear time`;
}

/**
 * The regular expressions of a JavaScript source: `text` is how the list names it, `expression` is undefined when the
 * source does not show it.
 */
export function expressionsOf(source) {
  const program = parse(source, { ecmaVersion: 'latest', sourceType: 'module' });
  const constants = new Map(program.body.flatMap(constantsOf));
  const found = [];
  for (const node of nodesIn(program)) {
    if (node.type === 'Literal' && node.regex !== undefined) {
      const expression = { source: node.regex.pattern, flags: node.regex.flags };
      found.push({ text: String(node.raw), expression });
    }
    if (/^(?:New|Call)Expression$/.test(node.type) && node.callee.name === 'RegExp') {
      const [pattern, flags] = node.arguments.map((argument) => textOf(argument, constants));
      const isShown = pattern !== undefined && (node.arguments.length === 1 || flags !== undefined);
      const expression = isShown ? { source: pattern, flags: flags ?? '' } : undefined;
      found.push({ text: source.slice(node.start, node.end).replace(/\s+/g, ' '), expression });
    }
  }
  return found;
}

/** `[name, value]` of each constant that a statement at the root of a file declares. */
function constantsOf(statement) {
  const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
  if (declaration?.type !== 'VariableDeclaration' || declaration.kind !== 'const') return [];
  return declaration.declarations.map(({ id, init }) => [id.name, init]);
}

/** The text of an expression that consists of constants, templates included. Undefined for others. */
function textOf(node, constants) {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node?.type === 'Identifier') return textOf(constants.get(node.name), constants);
  if (node?.type !== 'TemplateLiteral') return undefined;
  const parts = node.quasis.flatMap((quasi, at) => [
    quasi.value.cooked,
    ...(quasi.tail ? [] : [textOf(node.expressions[at], constants)]),
  ]);
  return parts.includes(undefined) ? undefined : parts.join('');
}

function* nodesIn(node) {
  if (typeof node?.type === 'string') yield node;
  for (const value of Object.values(node)) {
    if (typeof value === 'object' && value !== null) yield* nodesIn(value);
  }
}

async function readCode(root, file) {
  const source = readFileSync(join(root, file), 'utf8');
  const { code } = await transform(source, { loader: file.endsWith('x') ? 'tsx' : 'ts', target: 'esnext' });
  return { file, source: code };
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const root = resolve(process.argv[2] ?? join(dirname(fileURLToPath(import.meta.url)), '..'));
  const { faults, count } = await checkExpressions(root);
  for (const line of faults) console.error(line);
  console.error(
    `${count} regular expressions, ${faults.length === 0 ? 'nothing to object to' : `${faults.length} faults`}`,
  );
  process.exitCode = faults.length === 0 ? 0 : 1;
}
