import { loadModule } from '../node-version.ts';

export const { connectTwin, createTwin, defineBehaviours, TwinError } = loadModule(
  './twin.js',
) as typeof import('../twin.ts');
