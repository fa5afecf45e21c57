import { loadModule } from '../node-version.ts';

export const { expect, test } = loadModule('./playwright.js') as typeof import('../playwright.ts');
