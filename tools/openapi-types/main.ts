import { createTypesCommand } from '../../contracts/types/command.ts';

// This folder has the generator, and the TypeScript that it needs.
const run = createTypesCommand(() => import('openapi-typescript'));
process.exitCode = await run(process.argv.slice(2), {
  env: process.env,
  command: 'npm run types --',
});
