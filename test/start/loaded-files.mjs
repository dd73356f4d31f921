import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const hooks = new URL('record-loads.mjs', import.meta.url).href;
const registration = `data:text/javascript,import{register}from'node:module';register('${hooks}')`;

/**
 * Runs a program with node until it has printed so many lines; answers the files that it has loaded as modules by then, as
 * paths.
 */
export async function filesLoadedBy(program, lines) {
  const folder = mkdtempSync(join(tmpdir(), 'loads-'));
  const record = join(folder, 'record');
  const child = spawn(process.execPath, ['--import', registration, ...program], {
    cwd: dirname(fileURLToPath(import.meta.url)),
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, LOADS_RECORD: record },
  });
  const ended = new Promise((done) => child.on('close', done));
  try {
    await new Promise((ready, failed) => {
      let output = '';
      child.stdout.setEncoding('utf8').on('data', (text) => {
        output += text;
        if (output.split('\n').length > lines) ready();
      });
      child.on('close', (code) => failed(new Error(`ended with ${code} before it was ready`)));
    });
    const urls = readFileSync(record, 'utf8').split('\n');
    return [...new Set(urls.filter((url) => url.startsWith('file:')).map((url) => fileURLToPath(url)))];
  } finally {
    child.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true });
  }
}

/** The rooms (`apimachinery/json`) whose code is in these files of a bundle, by their source maps. */
export function roomsIn(files) {
  const rooms = new Set();
  for (const file of files.filter((path) => existsSync(`${path}.map`))) {
    for (const source of JSON.parse(readFileSync(`${file}.map`, 'utf8')).sources) {
      const [, packageName, room] = /([^/]+)\/src\/([^/]+)\//.exec(join(file, '..', source)) ?? [];
      if (room !== undefined) rooms.add(`${packageName}/${room}`);
    }
  }
  return rooms;
}
