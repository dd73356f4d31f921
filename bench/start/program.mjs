/** A program that starts a server of its own, out of the module that it is given; prints what that took it. */
const before = process.cpuUsage();
const begun = performance.now();
const { start } = await import(process.argv[2]);
const server = await start({ inMemory: true });
const milliseconds = performance.now() - begun;
const { user, system } = process.cpuUsage(before);
const residentBytes = process.memoryUsage.rss();
await server.stop();
process.stdout.write(JSON.stringify({ milliseconds, cpuMilliseconds: (user + system) / 1000, residentBytes }));
