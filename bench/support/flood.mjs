/**
 * A program that lists a collection without end over many connections, as one user. Its arguments: URL, credentials in JSON,
 * connections, path. When its input ends, it prints how many lists it has got and how many requests were refused.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from './client.mjs';

const [url, credentialsText, connections, path] = process.argv.slice(2);
const credentials = JSON.parse(credentialsText);
const ended = new AbortController();
const counts = { lists: 0, refused: 0 };

async function list(client) {
  try {
    await client.send('GET', path);
    counts.lists++;
  } catch {
    counts.refused++;
    await pause(1000, undefined, { signal: ended.signal }).catch(() => undefined);
  }
}

async function flood() {
  const client = new Client(url, credentials);
  while (!ended.signal.aborted) await list(client);
  client.close();
}

for (let index = 0; index < Number(connections); index++) void flood();
process.stdin.resume().once('end', () => {
  ended.abort();
  process.stdout.write(JSON.stringify(counts), () => process.exit());
});
