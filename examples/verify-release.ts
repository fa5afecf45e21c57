// Verifies staging before a release:
// STAGING_BASE_URL=https://host/v1 STAGING_KEY=KEY node examples/verify-release.ts
import { verify } from 'petstore-twin/verify';

const { STAGING_BASE_URL: url, STAGING_KEY: key } = process.env;

async function verifyRelease(): Promise<number> {
  if (!url || !key) throw new Error('Set STAGING_BASE_URL and STAGING_KEY.');
  const report = await verify({ target: { url, keys: [key] }, readOnly: true, probeLimits: false });
  for (const { verdict, clause, message } of report.findings)
    console.log(`${verdict} (${clause.source}): ${message}`);
  console.log(`The verdict on ${url} is ${report.verdict}.`);
  return report.verdict === 'drift' ? 1 : 0;
}

try {
  process.exitCode = await verifyRelease();
} catch (error) {
  console.error(`Not verified: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 2;
}
