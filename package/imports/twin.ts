import { loadModule } from '../node-version.ts';

export const { connectTwin, createTwin, TwinError } = loadModule(
  './twin.js',
) as typeof import('../twin.ts');
