import { enableCompileCache } from 'node:module';

enableCompileCache();
const { serve } = await import('./process/serve.ts');
await serve(process.argv.slice(2), { env: process.env, command: 'npm start --' });
