/**
 * Plays the first minute of a user with the built command and a kubectl, and draws what the terminal showed as docs/images/first-minute.svg. An output
 * appears after the time that its command took; typing and the pauses between commands are a person's.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { findKubectls } from '../test/e2e/kubectl-clients.mjs';
import { COLUMNS, drawScreen } from './first-minute/screen.mjs';
import { repositoryRoot } from './test-files.mjs';

const TYPED_PER_SECOND = 28;
const PAUSE_SECONDS = 1;
/** Between the events of a rollout. */
const SETTLE_MS = 2000;

const kubectl = findKubectls().at(-1);
if (kubectl === undefined) throw new Error('needs a kubectl: node scripts/fetch-kubectl.mjs fetches one');
const binnacle = join(repositoryRoot, 'packages/binnacle/bin');
const folder = mkdtempSync(join(tmpdir(), 'first-minute-'));
const environment = {
  ...process.env,
  PATH: `${dirname(kubectl.path)}:${folder}:${process.env.PATH}`,
  KUBECONFIG: join(folder, 'data/kubeconfig'),
};
const lines = [];
let clock = 0.5;

writeFileSync(join(folder, 'binnacle'), `#!/bin/sh\nexec '${process.execPath}' '${binnacle}/binnacle.js' "$@"\n`, {
  mode: 0o755,
});
const server = await serve('binnacle serve --nodes 3');
try {
  await play('kubectl create deployment web --image=nginx --replicas=3');
  await play('kubectl rollout status deployment/web');
  await play('kubectl get pods -o custom-columns=NAME:.metadata.name,PHASE:.status.phase,NODE:.spec.nodeName');
  await play('kubectl set image deployment/web nginx=ngnix:1.29');
  await pause(SETTLE_MS);
  const log = await play('binnacle log deployment/web --field .spec.template');
  await play(`binnacle revert ${/^\d+/.exec(log)[0]}`);
  await play("kubectl get deployment/web -o jsonpath='{..image}'");
} finally {
  server.kill('SIGTERM');
  await once(server, 'exit');
  rmSync(folder, { recursive: true });
}
writeFileSync(join(repositoryRoot, 'docs/images/first-minute.svg'), drawScreen(lines));

function type(command) {
  clock += PAUSE_SECONDS;
  const typedFrom = clock;
  clock += command.length / TYPED_PER_SECOND;
  lines.push({ at: clock, typedFrom, text: `$ ${command}` });
}

/** Breaks lines as a terminal does. */
function show(output) {
  for (const line of output.trimEnd().split('\n')) {
    for (const text of line.match(new RegExp(`.{1,${COLUMNS}}`, 'g')) ?? ['']) lines.push({ at: clock, text });
  }
}

function start(command) {
  type(command);
  const child = spawn('sh', ['-c', `exec ${command}`], { env: environment, stdio: ['ignore', 'pipe', 'inherit'] });
  child.stdout.setEncoding('utf8');
  return { child, since: performance.now() };
}

/** Resolves to the output of a command, which has to succeed. */
async function play(command) {
  const { child, since } = start(command);
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${command} ended with ${code}`);
  clock += (performance.now() - since) / 1000;
  show(output);
  return output;
}

/** Resolves when the server is ready. It shows the folder that a user has. */
async function serve(command) {
  const { child, since } = start(`${command} --data-dir ${join(folder, 'data')} --secure-port 0`);
  lines.at(-1).text = `$ ${command} &`;
  let output = '';
  while (!output.includes('Data in')) output += (await once(child.stdout, 'data'))[0];
  clock += (performance.now() - since) / 1000;
  show(
    output.replaceAll(join(folder, 'data'), '~/.local/share/binnacle').replace(/127\.0\.0\.1:\d+/, '127.0.0.1:6443'),
  );
  return child;
}
