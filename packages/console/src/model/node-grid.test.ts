import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nodeAt, nodeGrid, tileAt } from './index.js';

describe('the picture of nodes', () => {
  it('fits any number of nodes, and finds each by its place', () => {
    for (const [nodes, width, height] of [
      [1, 900, 700],
      [12, 900, 700],
      [100, 900, 700],
      [1000, 1000, 700],
      [5000, 1000, 700],
    ] as const) {
      const grid = nodeGrid(nodes, 30, width, height);
      const last = tileAt(nodes - 1, grid);
      assert.ok(last.x + grid.tileSize <= width, `${nodes} nodes are ${last.x + grid.tileSize} wide`);
      if (nodes <= 1000) assert.ok(grid.height <= height, `${nodes} nodes are ${grid.height} high`);
      assert.ok(grid.tileSize >= 14);
      for (const index of [0, Math.floor(nodes / 2), nodes - 1]) {
        const { x, y } = tileAt(index, grid);
        assert.equal(nodeAt(x + 1, y + 1, nodes, grid), index);
      }
      assert.equal(nodeAt(-1, 0, nodes, grid), undefined);
      assert.equal(nodeAt(0, 1e6, nodes, grid), undefined);
    }
  });

  it('gives each pod a cell', () => {
    const { across, cell, tileSize } = nodeGrid(10, 30, 900, 700);
    assert.ok(across * across >= 30);
    assert.ok(across * cell <= tileSize);
  });
});
