import { afterAll, beforeAll, describe, it } from 'vitest';
import { define } from './suite.mjs';

define({ describe, it, beforeAll, afterAll });
