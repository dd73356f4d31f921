/** A server that runs in a pod of a process node: see docs/processes.md. */
import { createServer } from 'node:http';
import { parseArgs } from 'node:util';

const { greeting } = parseArgs({ options: { greeting: { type: 'string', default: 'hi' } } }).values;
const host = process.env['POD_IP'] ?? '127.0.0.1';

const server = createServer((_, response) => response.end(`${greeting} from ${process.env['HOSTNAME']}\n`));
server.listen(8080, host, () => console.log(`listening on ${host}:8080`));
process.on('SIGTERM', () => server.close());
