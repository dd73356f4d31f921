/** A server in a process of its own, so that its memory is its own too. Argument: the ceiling, in bytes. */
import { start } from 'binnacle';

const server = await start({ inMemory: true, controllers: '', maxMemoryBytes: Number(process.argv[2]) });
process.send({ url: server.url, token: server.clientConfig.token });
process.on('message', async () => {
  await server.stop();
  process.disconnect();
});
