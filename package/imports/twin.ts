import { loadModule } from '../node-version.ts';

export const { connectTwin, createTwin, createTwins, defineBehaviours, TwinError } = loadModule(
  './twin.js',
) as typeof import('../twin.ts');
