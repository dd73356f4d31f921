import { loadConfig } from '@binnacle/client/kubeconfig';
import { startExtensionServer } from 'binnacle/extension';
import { flunders } from './definition.js';

const server = await startExtensionServer({
  cluster: await loadConfig(),
  definitions: [flunders],
  service: { name: 'wardle', namespace: 'default' },
});
await server.register();
console.log(`Serving wardle.example.com at ${server.url}`);

const stop = (): void => void server.stop();
process.once('SIGTERM', stop);
process.once('SIGINT', stop);
