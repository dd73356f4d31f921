import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { tunnelledProtocols, tunnelProtocol, wantsStreamClose, wantsTunnel } from './websocket-protocols.js';

const headers = (protocol: string) => ({ 'sec-websocket-protocol': protocol });

describe('the sub-protocols of a WebSocket', () => {
  it('say whether a client can end its input', () => {
    assert.equal(wantsStreamClose(headers('v5.channel.k8s.io, v4.channel.k8s.io')), true);
    assert.equal(wantsStreamClose(headers('v4.channel.k8s.io')), false);
    assert.equal(wantsStreamClose({}), false);
  });

  it('say whether SPDY is tunnelled, and which protocol in it', () => {
    assert.deepEqual(tunnelledProtocols(headers('SPDY/3.1+portforward.k8s.io, SPDY/3.1+x, v4.channel.k8s.io')), [
      'portforward.k8s.io',
    ]);
    assert.equal(wantsTunnel(headers('v4.channel.k8s.io')), false);
    assert.equal(tunnelProtocol('portforward.k8s.io'), 'SPDY/3.1+portforward.k8s.io');
  });
});
