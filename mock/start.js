import { enableCompileCache } from 'node:module';

// Plain JavaScript, as Node loads its type stripper for a first file of TypeScript that the compile
// cache does not hold.
enableCompileCache();
await import('./main.ts');
