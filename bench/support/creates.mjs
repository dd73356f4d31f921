import { inParallel, print, timed } from './figures.mjs';

const IN_FLIGHT = 32;
const COLLECTION = '/api/v1/namespaces/default/configmaps';

/** Creates ConfigMaps of 1 KB. Prints creates a second, and microseconds of server CPU per create. */
export async function measureCreates({ server, client, figure, creates }) {
  const name = (index) => `${figure.replaceAll(/[^a-z0-9]+/g, '-')}-${index}`;
  const body = (index) => JSON.stringify({ metadata: { name: name(index) }, data: { a: 'b'.repeat(1000) } });
  const create = (index) => client.send('POST', COLLECTION, body(index));
  const { cpuSeconds, wallSeconds } = await timed(server, () => inParallel(creates, IN_FLIGHT, create));
  print({
    figure,
    perSecond: Math.round(creates / wallSeconds),
    cpuMicroseconds: Math.round((cpuSeconds * 1e6) / creates),
  });
}
