import { loadModule } from '../node-version.ts';

export const { createMatchers } = loadModule('./vitest.js') as typeof import('../vitest.ts');
