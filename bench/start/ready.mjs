/**
 * The cost of a start until the server is ready: the command on a new data directory, again on the same one, and in memory; and
 * `start({ inMemory: true })` within a program, as in a test. With `--against` also of another built checkout in turns, with the ratios of this one to
 * it, pair by pair. All figures are medians.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { median, megabytes, print, toDigits } from '../support/figures.mjs';
import { root, Server, Store } from '../support/server.mjs';

const { values: options } = parseArgs({
  options: { runs: { type: 'string', default: '9' }, against: { type: 'string' } },
});
const checkouts = [{ name: 'this', root }];
if (options.against !== undefined) checkouts.push({ name: 'other', root: resolve(options.against) });

/** One start of each variant, of the command at this path. */
const commands = {
  'command, in memory': (path) => startOnce('memory', path, false),
  'command, first start on disk': (path) => startOnce('embedded', path, false),
  'command, started again': (path) => startOnce('embedded', path, true),
};
const starts = {
  ...Object.fromEntries(
    Object.entries(commands).map(([figure, start]) => [
      figure,
      (checkout) => start(join(checkout, 'packages/binnacle', manifestOf(checkout).bin.binnacle)),
    ]),
  ),
  'in a program, in memory': (checkout) =>
    startInProgram(join(checkout, 'packages/binnacle', manifestOf(checkout).exports['.'].default)),
};

for (const [figure, start] of Object.entries(starts)) {
  const results = checkouts.map(() => []);
  // The first round warms the disk cache.
  for (let run = 0; run <= Number(options.runs); run++) {
    for (const [index, checkout] of checkouts.entries()) {
      const result = await start(checkout.root);
      if (run > 0) results[index].push(result);
    }
  }
  for (const [index, { name }] of checkouts.entries()) {
    const of = (part) => median(results[index].map((result) => result[part]));
    print({
      figure,
      checkout: name,
      milliseconds: Math.round(of('milliseconds')),
      cpuMilliseconds: Math.round(of('cpuMilliseconds')),
      residentMegabytes: megabytes(of('residentBytes')),
    });
  }
  const [own, other] = results;
  if (other === undefined) continue;
  const ratio = (part) => toDigits(median(own.map((result, run) => result[part] / other[run][part])), 2);
  print({
    figure,
    checkout: 'this / other',
    milliseconds: ratio('milliseconds'),
    cpu: ratio('cpuMilliseconds'),
    resident: ratio('residentBytes'),
  });
}

async function startOnce(storeName, program, again) {
  const store = await Store.open(storeName);
  if (again) await (await Server.start(store, { program })).stop();
  const server = await Server.start(store, { program });
  const result = {
    milliseconds: server.readyMilliseconds,
    cpuMilliseconds: server.cpuSeconds() * 1000,
    residentBytes: server.residentBytes(),
  };
  await server.stop();
  await store.close();
  return result;
}

function startInProgram(path) {
  return JSON.parse(
    execFileSync(process.execPath, [join(root, 'bench/start/program.mjs'), path], { encoding: 'utf8' }),
  );
}

function manifestOf(checkout) {
  return JSON.parse(readFileSync(join(checkout, 'packages/binnacle/package.json'), 'utf8'));
}
