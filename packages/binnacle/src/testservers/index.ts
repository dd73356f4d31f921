export { serveRequests } from './serve-requests.js';
export { TestServers } from './test-servers.js';
