import { enableCompileCache, registerHooks } from 'node:module';

// Plain JavaScript, as Node loads its type stripper for a first file of TypeScript that the compile
// cache does not hold.
enableCompileCache();

// Node looks each import up on the disk, which takes an eighth of the time to the first answer; those
// of the mock name files.
const rooms = ['mock', 'openapi', 'common'].map(
  (room) => new URL(`../${room}/`, import.meta.url).href,
);
registerHooks({
  resolve(specifier, context, next) {
    const { parentURL } = context;
    const isOwn = rooms.some((room) => parentURL?.startsWith(room));
    if (!isOwn || !/^\..*\.ts$/.test(specifier)) return next(specifier, context);
    const { href: url } = new URL(specifier, parentURL);
    return { url, format: 'module-typescript', shortCircuit: true };
  },
});
await import('./main.ts');
