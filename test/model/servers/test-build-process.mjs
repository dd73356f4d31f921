/** The test build in its own process; answers `{ compact: back }` with `{ compacted: revision }`. */
import { startTestBuild } from './test-build.mjs';

const server = await startTestBuild(JSON.parse(process.argv[2]));
process.send({ ready: { port: server.port, access: server.access } });
process.on('message', ({ compact }) => {
  server.compact(compact).then(
    (revision) => process.send?.({ compacted: revision }),
    (error) => process.send?.({ failed: String(error) }),
  );
});
process.on('disconnect', () => process.exit(1));
process.on('SIGTERM', () => {
  server.stop().then(
    () => process.exit(0),
    () => process.exit(1),
  );
});
