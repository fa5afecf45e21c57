type Package = typeof import('../../../package/twin.ts');

const entry = new URL('../../../dist/package/imports/twin.js', import.meta.url);
const [port, keys = ''] = process.argv.slice(2);
const { createTwin } = (await import(entry.href)) as Package;
await createTwin({ port: Number(port), keys });
process.once('SIGTERM', () => process.exit());
