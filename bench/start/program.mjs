/** Starts a server in its own process from the given module, and prints the cost. */
const before = process.cpuUsage();
const begun = performance.now();
const { start } = await import(process.argv[2]);
const server = await start({ inMemory: true });
const milliseconds = performance.now() - begun;
const { user, system } = process.cpuUsage(before);
const residentBytes = process.memoryUsage.rss();
await server.stop();
process.stdout.write(JSON.stringify({ milliseconds, cpuMilliseconds: (user + system) / 1000, residentBytes }));
