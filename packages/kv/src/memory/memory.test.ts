import { kvSuite } from '../testing/index.js';
import { openMemoryKV } from './index.js';

kvSuite('memory store', openMemoryKV);
